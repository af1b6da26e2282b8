import { defineTool, textResult, type Tool } from 'pegboard';
import { maySee } from '../../background/origin.ts';
import { shownOf } from '../shown-of.ts';
import type { Watching } from '../watching.ts';
import { findWatcher, idParameter } from './find-watcher.ts';
import { historyItem, toHistoryItem } from './structure.ts';

const defaultLimit = 20;

export function createWatchHistory(watching: Watching): Tool {
  return defineTool({
    name: 'watch_history',
    title: 'Watcher history',
    description: 'What watchers saw and what was done then, newest first: of one, or without id of all.',
    category: 'watchers',
    tags: ['monitor', 'observe', 'log'],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    timeout: 10,
    parameters: {
      type: 'object',
      additionalProperties: false,
      properties: {
        id: idParameter,
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 200,
          description: `Entries at most. Default ${defaultLimit}.`,
        },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['entries'],
      properties: { entries: { type: 'array', items: historyItem } },
    },
    examples: [{ input: { id: 2, limit: 5 } }],
    async execute({ id, limit = defaultLimit }, call) {
      const store = await watching.store();
      if (id !== undefined) await findWatcher(watching, id, call);
      const own = (await store.list('all')).filter((one) => maySee(call, one));
      const ids = new Set(own.map((one) => one.id));
      const entries = (await store.history(id, limit)).filter((entry) => ids.has(entry.watcher_id));
      const { describeEntry } = await import('../describe.ts');
      const text = entries.map(describeEntry).join('\n') || 'Nothing has happened yet.';
      const shown = new Set(entries.map((entry) => entry.watcher_id));
      return shownOf(
        own.filter((one) => shown.has(one.id)),
        textResult(text, { entries: entries.map(toHistoryItem) }),
      );
    },
  });
}
