import { setImmediate } from 'node:timers/promises';
import type { RegisteredTool, Snapshot } from 'pegboard';
import { isIndexedAlike } from './fields.ts';
import type { ToolIndex } from './tool-index.ts';

/** An index, and the snapshot that it matches exactly. Valid until the caller's next `await`. */
export interface IndexedSnapshot {
  readonly index: ToolIndex;
  readonly snapshot: Snapshot;
}

/** How long to index before yielding to the event loop. */
const stretchMs = 10;

/**
 * Keeps one index up to date with the newest snapshot, on demand. After a change only added, removed and changed tools are
 * indexed, unless the typical length of a text has changed.
 */
export function createIndexKeeper(current: () => Snapshot): { upToDate(): Promise<IndexedSnapshot> } {
  const indexed = new Map<string, RegisteredTool>();
  let latest: IndexedSnapshot | undefined;
  let catchingUp: Promise<void> | undefined;

  const catchUp = async (next: Snapshot): Promise<void> => {
    const index = latest?.index ?? (await import('./tool-index.ts')).createToolIndex();
    let started = performance.now();
    const yieldIfDue = async (): Promise<void> => {
      if (performance.now() - started < stretchMs) return;
      await setImmediate();
      started = performance.now();
    };
    for (const id of indexed.keys()) {
      if (next.tools.has(id)) continue;
      index.remove(id);
      indexed.delete(id);
      await yieldIfDue();
    }
    for (const [id, tool] of next.tools) {
      const before = indexed.get(id);
      indexed.set(id, tool);
      if (before && isIndexedAlike(before, tool)) continue;
      if (before) index.remove(id);
      index.add(id, tool);
      await yieldIfDue();
    }
    for (const _ of index.settle()) await yieldIfDue();
    latest = { index, snapshot: next };
  };

  return {
    async upToDate() {
      for (;;) {
        if (latest?.snapshot === current()) return latest;
        catchingUp ??= catchUp(current()).finally(() => (catchingUp = undefined));
        await catchingUp;
      }
    },
  };
}
