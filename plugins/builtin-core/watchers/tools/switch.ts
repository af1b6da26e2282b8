import { PegboardError, defineTool, type Tool, type ToolCall } from 'pegboard';
import type { Watcher } from '../tables.ts';
import type { Watching } from '../watching.ts';
import { findWatcher, oneWatcher } from './find-watcher.ts';

/** What each tool does to a watcher, and in which states. */
const switches = {
  watch_stop: {
    title: 'Stop watcher',
    description: 'Stops a watcher for good. Its history stays.',
    from: ['active', 'paused'],
    to: 'stopped',
  },
  watch_pause: {
    title: 'Pause watcher',
    description: 'Pauses a watcher until watch_resume. What changes meanwhile is noticed then.',
    from: ['active'],
    to: 'paused',
  },
  watch_resume: {
    title: 'Resume watcher',
    description: 'Lets a paused watcher go on.',
    from: ['paused'],
    to: 'active',
  },
} as const satisfies {
  readonly [name: string]: {
    readonly title: string;
    readonly description: string;
    readonly from: readonly Watcher['state'][];
    readonly to: Watcher['state'];
  };
};

export function createWatchSwitch(watching: Watching, name: keyof typeof switches): Tool {
  const { title, description, from, to } = switches[name];
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
    examples: [{ input: { id: 2 } }],
    async execute({ id }, call) {
      const state = await turn(watching, id, call, { from, to });
      watching.wake();
      return state;
    },
  });
}

/** A check that ends at the same moment changes the watcher too: retry. */
async function turn(
  watching: Watching,
  id: number,
  call: ToolCall,
  { from, to }: { readonly from: readonly Watcher['state'][]; readonly to: Watcher['state'] },
): Promise<string> {
  const store = await watching.store();
  for (let attempt = 0; attempt < 5; attempt++) {
    const watcher = await findWatcher(watching, id, call);
    if (!from.includes(watcher.state)) return `Watcher ${id} is ${watcher.state}.`;
    const now = new Date(watching.clock.now()).toISOString();
    const changes = to === 'active' ? { state: to, next_at: now, failures: 0 } : { state: to };
    if ((await store.advance(watcher, changes)) !== undefined) return `Watcher ${id} is ${to} now.`;
  }
  throw new PegboardError('PEG_TOOL_FAILED', `Watcher ${id} is busy. Try again.`);
}
