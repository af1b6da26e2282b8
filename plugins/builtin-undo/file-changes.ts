import { randomUUID } from 'node:crypto';
import type { ChangingCall, FileChanges, TurnContext } from 'pegboard';
import { deniedPaths } from 'pegboard/files';
import { outermostCall } from 'pegboard/kit';
import type { Journal, JournalStart } from './journal.ts';
import { megabyte } from './limits.ts';
import { beginChange, endChange, type KnownContents } from './record-changes.ts';
import { isRestorable, type RestorablePlaces } from './restorable.ts';
import type { Uncovered } from './scan.ts';
import { journalIdOf, type UndoStore } from './undo-store.ts';

/** Records what calls change in files, by the turn that they belong to. */
export function createFileChanges(
  store: UndoStore,
  places: () => Promise<RestorablePlaces>,
): Pick<FileChanges, 'note' | 'begin'> {
  const ownerOf = createOwners();
  const contents: KnownContents = new Map();
  /** Bytes kept for each journal by this process. */
  const kept = new WeakMap<Journal, number>();
  const journalOf = (call: ChangingCall): Journal => {
    const { id, start } = ownerOf(call);
    return store.journal(id, start);
  };

  return {
    async note(call) {
      if (store.limits.totalSize > 0) journalOf(call).append({ called: call.tool.id });
    },
    async begin(call, { paths, elsewhere = false }) {
      const { totalSize, turnSize } = store.limits;
      if (totalSize === 0) return async () => {};
      const known = await places();
      const inside = paths.filter((path) => isRestorable(path, known));
      const outside = paths.filter((path) => !inside.includes(path));
      const journal = journalOf(call);
      const recording = {
        tool: call.tool.id,
        paths: inside,
        deep: true,
        without: deniedPaths(known),
        uncovered: outside.map((path): Uncovered => ({ path, why: 'outside' })),
        elsewhere,
        maxBytes: turnSize * megabyte - (kept.get(journal) ?? 0),
      };
      const begun = await beginChange(store, journal, recording, contents);
      return async () => {
        const bytes = await endChange(store, journal, begun);
        kept.set(journal, (kept.get(journal) ?? 0) + bytes);
      };
    },
  };
}

/** What the changes of a call belong to: the turn that a person began, or the outermost call if there is none. */
function createOwners(): (call: ChangingCall) => { readonly id: string; readonly start: JournalStart } {
  const keys = new WeakMap<TurnContext, string>();
  const keyOf = (turn: TurnContext): string => {
    const key = turn.message.key ?? keys.get(turn) ?? randomUUID();
    keys.set(turn, key);
    return key;
  };
  return (call) => {
    const { id, turn, caller, scope } = outermostCall(call);
    const at = new Date().toISOString();
    if (!turn) {
      const start = {
        kind: 'turn',
        at,
        caller,
        ...(scope.agent !== undefined && { agent: scope.agent }),
      } as const;
      return { id: journalIdOf(`call ${id}`), start };
    }
    const { agent, conversation, message } = turn;
    const { key } = message;
    return {
      id: journalIdOf(`turn ${keyOf(turn)}`),
      start: {
        kind: 'turn',
        at,
        caller,
        agent,
        source: conversation.source,
        conversation: conversation.id,
        ...(key !== undefined && { key }),
      },
    };
  };
}
