import type { Checkpoint } from 'pegboard';
import { createKeyedQueue } from 'pegboard/kit';
import { layOut, readState, writeState, type CallsState, type SavedState } from './saved-state.ts';
import type { WaitingScript } from './sandbox/run-script.ts';

/** Keeps a script that waits for a person where another process can go on with it. */
export interface ScriptKeeper {
  /** Runs `work`, which asks a person. */
  asking<T>(work: () => Promise<T>): Promise<T>;
  /** Must be awaited before the call of this request has an effect. */
  beforeEffect(request: number): Promise<void>;
  onWait(script: WaitingScript): void;
}

interface ScriptKeeperOptions {
  readonly checkpoint: Checkpoint;
  /** The checkpoint holds a state already, from which the script goes on. */
  readonly isSaved: boolean;
  readonly version: () => Promise<string>;
  /** Of the calls whose answers the script has: all but those of these requests. */
  readonly callsWithout: (open: ReadonlySet<number>) => CallsState;
  readonly holdsSecret: (memory: Buffer) => boolean;
  /** Aborted: what is saved stays as it is. */
  readonly signal: AbortSignal;
}

/**
 * A saved script repeats every call that it waits for, so it is saved only while none of them has begun an effect, and what is
 * saved is discarded before the next effect. One that can't be saved counts as cut off when its process ends.
 */
export function createScriptKeeper(options: ScriptKeeperOptions): ScriptKeeper {
  const { checkpoint, callsWithout, holdsSecret, version, signal } = options;
  /** Saving and the beginning of effects exclude each other. */
  const queue = createKeyedQueue();
  const effects = new Set<number>();
  let { isSaved } = options;
  let asked = 0;
  let waiting: WaitingScript | undefined;

  const discard = async (): Promise<void> => {
    if (!isSaved) return;
    await checkpoint.discard();
    isSaved = false;
  };
  const save = async (): Promise<void> => {
    if (asked === 0 || signal.aborted) return;
    const script = await waiting?.save();
    if (!script || script.open.some(({ id }) => effects.has(id))) return;
    const raw = layOut({ script, calls: callsWithout(new Set(script.open.map(({ id }) => id))) });
    if (holdsSecret(raw)) return;
    const state = await writeState(raw);
    if (!state || signal.aborted) return;
    await checkpoint.save(await version(), state);
    isSaved = true;
    // One that was stored meanwhile has deleted only what was saved before.
    if (holdsSecret(raw)) await discard();
  };
  const trySave = (): void => {
    // What can't be saved counts as cut off.
    void queue.run('', save).catch(() => {});
  };
  return {
    async asking(work) {
      asked++;
      trySave();
      try {
        return await work();
      } finally {
        asked--;
      }
    },
    beforeEffect: (request) =>
      queue.run('', async () => {
        effects.add(request);
        await discard();
      }),
    onWait(script) {
      waiting = script;
      if (asked > 0) trySave();
    },
  };
}

/** What an earlier process has saved, if there is something. */
export async function loadState(checkpoint: Checkpoint): Promise<SavedState | undefined> {
  const bytes = await checkpoint.load();
  return bytes && (await readState(bytes));
}
