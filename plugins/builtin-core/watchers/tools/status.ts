import { defineTool, textResult, type Tool } from 'pegboard';
import { shownOf } from '../shown-of.ts';
import type { Watching } from '../watching.ts';
import { findWatcher, oneWatcher } from './find-watcher.ts';
import { historyItem, toHistoryItem, toWatcherItem, watcherItem } from './structure.ts';

const maxShown = 5;

export function createWatchStatus(watching: Watching): Tool {
  return defineTool({
    name: 'watch_status',
    title: 'Watcher status',
    description:
      'One watcher: what it watches, when it looked last, what happened last, and what keeps it from looking.',
    category: 'watchers',
    tags: ['monitor', 'observe'],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    timeout: 10,
    parameters: oneWatcher,
    outputSchema: {
      ...watcherItem,
      required: [...watcherItem.required, 'history'],
      properties: { ...watcherItem.properties, history: { type: 'array', items: historyItem } },
    },
    examples: [{ input: { id: 2 } }],
    async execute({ id }, call) {
      const watcher = await findWatcher(watching, id, call);
      const { describeEntry, describeWatcher } = await import('../describe.ts');
      const history = await (await watching.store()).history(id, maxShown);
      const lines = [
        describeWatcher(watcher),
        `Looked last: ${watcher.checked_at ?? 'never'}. Looks next: ${watcher.state === 'active' ? watcher.next_at : 'not before it is resumed'}.`,
        ...history.map(describeEntry),
      ];
      const structure = { ...toWatcherItem(watcher), history: history.map(toHistoryItem) };
      return shownOf([watcher], textResult(lines.join('\n'), structure));
    },
  });
}
