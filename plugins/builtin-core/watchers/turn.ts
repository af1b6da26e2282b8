import { PegboardError } from 'pegboard';
import type { Watcher } from './tables.ts';
import type { Watching } from './watching.ts';

export type Turned = Watcher['state'];

/** From which states. */
const before: { readonly [to in Turned]: readonly Turned[] } = {
  stopped: ['active', 'paused'],
  paused: ['active'],
  active: ['paused'],
};

/**
 * Changes the state of a watcher, and says what it is now. A check that ends at the same moment changes the watcher too:
 * then it is read again with `find`.
 */
export async function switchTo(
  watching: Watching,
  to: Turned,
  find: () => Promise<Watcher>,
): Promise<{ readonly said: string; readonly state: Turned }> {
  const store = await watching.store();
  for (let attempt = 0; ; attempt++) {
    const watcher = await find();
    const { id, state } = watcher;
    if (!before[to].includes(state)) return { said: `Watcher ${id} is ${state}.`, state };
    const now = new Date(watching.clock.now()).toISOString();
    const changes = to === 'active' ? { state: to, next_at: now, failures: 0 } : { state: to };
    if ((await store.advance(watcher, changes)) !== undefined) {
      watching.wake();
      return { said: `Watcher ${id} is ${to} now.`, state: to };
    }
    if (attempt >= 4) throw new PegboardError('PEG_TOOL_FAILED', `Watcher ${id} is busy. Try again.`);
  }
}
