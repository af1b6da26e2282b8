import { randomUUID } from 'node:crypto';
import type { TurnContext } from '../../api/conversation.ts';
import type { Logger } from '../../api/log.ts';
import type { ChangedFiles, ToolCall } from '../../api/tool.ts';
import { deniedPaths } from '../../core/files/write-boundary.ts';
import { outermostCall } from '../../core/outermost-call.ts';
import type { Journal, JournalStart } from './journal.ts';
import { megabyte } from './limits.ts';
import { beginChange, endChange, type KnownContents } from './record-changes.ts';
import { isRestorable, type RestorablePlaces } from './restorable.ts';
import type { Uncovered } from './scan.ts';
import { journalIdOf, type UndoStore } from './undo-store.ts';

type ChangingCall = Pick<ToolCall, 'id' | 'tool' | 'scope' | 'caller' | 'turn' | 'parent'>;

/** Records what calls change in files, by the turn that they belong to. */
export interface FileChanges {
  /** Notes that a call of a turn has an effect that is not recorded. */
  note(call: ChangingCall): Promise<void>;
  /**
   * Runs `change`, and settles like it. What was there before is stored first; where that fails, the change is made
   * anyway, and noted as not recorded.
   */
  record<T>(call: ChangingCall, files: ChangedFiles, change: () => Promise<T>): Promise<T>;
}

export interface FileChangesOptions {
  readonly places: () => RestorablePlaces;
  readonly log: Pick<Logger, 'warn'>;
}

export function createFileChanges(store: UndoStore, { places, log }: FileChangesOptions): FileChanges {
  const ownerOf = createOwners();
  const contents: KnownContents = new Map();
  /** Bytes kept for each journal by this process. */
  const kept = new WeakMap<Journal, number>();
  const journalOf = (call: ChangingCall): Journal => {
    const { id, start } = ownerOf(call);
    return store.journal(id, start);
  };
  const note = (call: ChangingCall): void => {
    try {
      journalOf(call).append({ called: call.tool.id });
    } catch (cause) {
      log.warn('a call could not be noted for undo', { tool: call.tool.id, cause });
    }
  };

  return {
    async note(call) {
      if (store.limits().totalSize > 0 && call.turn) note(call);
    },
    async record(call, { paths, elsewhere = false }, change) {
      const { totalSize, turnSize } = store.limits();
      if (totalSize === 0) return await change();
      const begin = async (): Promise<() => Promise<void>> => {
        const known = places();
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
      };
      const end = await begin().catch((cause: unknown) => {
        log.warn('what a call changes in files could not be recorded for undo', {
          tool: call.tool.id,
          cause,
        });
        note(call);
      });
      try {
        return await change();
      } finally {
        await end?.().catch((cause: unknown) =>
          log.warn('what a call changed in files could not be recorded', { tool: call.tool.id, cause }),
        );
      }
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
