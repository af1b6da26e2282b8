import { defineTool, textResult, type Tool } from 'pegboard';
import { switchTo, type Turned } from '../turn.ts';
import type { Watching } from '../watching.ts';
import { findWatcher, oneWatcher } from './find-watcher.ts';
import { switchedWatcher } from './structure.ts';

/** What each tool does to a watcher. */
const switches = {
  watch_stop: {
    title: 'Stop watcher',
    description: 'Stops a watcher for good. Its history stays.',
    to: 'stopped',
  },
  watch_pause: {
    title: 'Pause watcher',
    description: 'Pauses a watcher until watch_resume. What changes meanwhile is noticed then.',
    to: 'paused',
  },
  watch_resume: {
    title: 'Resume watcher',
    description: 'Lets a paused watcher go on.',
    to: 'active',
  },
} as const satisfies {
  readonly [name: string]: {
    readonly title: string;
    readonly description: string;
    readonly to: Turned;
  };
};

export function createWatchSwitch(watching: Watching, name: keyof typeof switches): Tool {
  const { title, description, to } = switches[name];
  return defineTool({
    name,
    title,
    description,
    category: 'watchers',
    tags: ['monitor', 'observe'],
    guarded: name === 'watch_resume',
    annotations: {
      readOnlyHint: false,
      destructiveHint: name === 'watch_stop',
      idempotentHint: true,
      openWorldHint: false,
    },
    timeout: 10,
    parameters: oneWatcher,
    outputSchema: switchedWatcher,
    examples: [{ input: { id: 2 } }],
    async execute({ id }, call) {
      const { said, state } = await switchTo(watching, to, () => findWatcher(watching, id, call));
      return textResult(said, { id, state });
    },
  });
}
