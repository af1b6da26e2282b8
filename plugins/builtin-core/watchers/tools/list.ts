import { defineTool, textResult, type Tool } from 'pegboard';
import { maySee } from '../../background/origin.ts';
import { shownOf } from '../shown-of.ts';
import type { Watching } from '../watching.ts';
import { toWatcherItem, watcherItem } from './structure.ts';

export function createWatchList(watching: Watching): Tool {
  return defineTool({
    name: 'watch_list',
    title: 'List watchers',
    description: 'Lists watchers: number, state, what they watch and what they do then.',
    category: 'watchers',
    tags: ['monitor', 'observe'],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    timeout: 10,
    parameters: {
      type: 'object',
      additionalProperties: false,
      properties: { all: { type: 'boolean', default: false, description: 'Also those that were stopped.' } },
    },
    outputSchema: {
      type: 'object',
      required: ['watchers'],
      properties: { watchers: { type: 'array', items: watcherItem } },
    },
    examples: [{ input: {} }],
    async execute({ all = false }, call) {
      const { describeWatcher } = await import('../describe.ts');
      const watchers = (await (await watching.store()).list(all ? 'all' : 'not stopped')).filter((watcher) =>
        maySee(call, watcher),
      );
      const text = watchers.map(describeWatcher).join('\n') || 'There are no watchers.';
      return shownOf(watchers, textResult(text, { watchers: watchers.map(toWatcherItem) }));
    },
  });
}
