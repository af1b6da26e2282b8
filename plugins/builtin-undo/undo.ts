import { dirname, join } from 'node:path';
import { defineToken, PegboardError, toJson } from 'pegboard';
import { deniedPaths, realPathOf } from 'pegboard/files';
import { isDraft, namesInFolder, removeAbandonedDrafts } from 'pegboard/kit';
import { changesOf } from './cut-off-changes.ts';
import { absent, contentAt, hashOf, lookAt } from './file-state.ts';
import type { JournalLine } from './journal.ts';
import { takeOver, withKnownTargets } from './killed-undo.ts';
import { megabyte } from './limits.ts';
import { keepsOpen, planUndo, type PlannedUndo } from './plan-undo.ts';
import { beginChange, endChange } from './record-changes.ts';
import type { RecordedTurn } from './recorded-turn.ts';
import { isRestorable, type RestorablePlaces } from './restorable.ts';
import { restore, type FailedStep } from './restore.ts';
import { lookAtAll, type FoundFile } from './scan.ts';
import { createUndoNews } from './undo-news.ts';
import { newJournalId, undoFolder, type UndoStore } from './undo-store.ts';

/** What undoing a turn, or redoing it, would change now. */
export interface UndoPlan extends PlannedUndo {
  readonly turn: RecordedTurn;
}

export interface Undo {
  /** A real path. */
  readonly home: string;
  /** The message that a turn answered. Undefined when it isn't stored. */
  messageOf(turn: RecordedTurn): Promise<string | undefined>;
  /** Turns that changed files or had other effects, newest first. */
  turns(): readonly RecordedTurn[];
  /** The turn with what it has changed, as far as is known now. */
  readonly settled: (turn: RecordedTurn) => Promise<RecordedTurn>;
  /** The last undo that has changed something and was not redone. */
  lastUndone(): RecordedTurn | undefined;
  /**
   * `force`: files that somebody has changed since are restored too. Throws PEG_BUSY while a call of the turn changes
   * files.
   */
  plan(turn: RecordedTurn, how: { readonly force: boolean }): Promise<UndoPlan>;
  /** Makes the steps of a plan. Returns those that failed, for which the turn stays open. */
  apply(plan: UndoPlan): Promise<readonly FailedStep[]>;
  /** What the user has undone or redone since a conversation's last turn, as sentences for its model. Returned once. */
  takeNews(conversation: number): readonly string[];
}

export interface UndoOptions {
  readonly home: string;
  readonly places: () => Promise<RestorablePlaces>;
  readonly messageOf: (key: string) => Promise<string | undefined>;
}

export const Undo = defineToken<Undo>('undo', 'undo');

export function createUndo(store: UndoStore, { home, places, messageOf }: UndoOptions): Undo {
  const news = createUndoNews(join(undoFolder(home), 'news'));
  const hash = ({ at }: FoundFile): string | undefined => {
    const bytes = contentAt(at, store.limits.fileSize * megabyte);
    return bytes && hashOf(bytes);
  };
  const mark = (id: string, line: JournalLine): void => {
    const turn = store.turn(id);
    if (turn) store.journal(id, turn.start).append(line);
  };

  const killedUndosOf = (id: string): readonly RecordedTurn[] =>
    store.turns().filter((one) => isOpenUndo(one) && one.start.of === id && one.cutOff.length > 0);
  /** Whether an undo of this turn, which had an effect, was not redone. */
  const hasUndone = (id: string): boolean =>
    store.turns().some((turn) => isOpenUndo(turn) && turn.start.of === id);

  const settled = async (turn: RecordedTurn): Promise<RecordedTurn> => {
    const changes = await changesOf(turn, {
      others: () => store.turns(),
      without: deniedPaths(await places()),
      hash,
    });
    return { ...turn, changes };
  };

  return {
    home: realPathOf(home),
    messageOf: async ({ start: { key } }) => (key === undefined ? undefined : await messageOf(key)),
    settled,
    turns: () => store.turns().filter(({ start }) => start.kind === 'turn'),
    lastUndone: () => store.turns().find(isOpenUndo),
    async plan(turn, { force }) {
      if (turn.running !== undefined)
        throw new PegboardError(
          'PEG_BUSY',
          `A call of ${turn.running} in this turn still changes files. Wait until it has ended, or stop it.`,
        );
      const known = await places();
      const { changes } = await settled({ ...turn, changes: withKnownTargets(turn, store) });
      const paths = [...changes.keys()].filter((path) => isRestorable(path, known));
      const now = await lookAtAll(paths, hash);
      const plan = planUndo(changes, {
        current: (path) => now.get(path) ?? absent.state,
        namesIn,
        isKept: (hash) => store.content.has(hash),
        mayKeep: (size) => size <= store.limits.fileSize * megabyte,
        mayWrite: (path) => now.has(path),
        notFolderAbove: createNotFolderAbove(),
        force,
      });
      return { turn, ...plan };
    },
    async apply({ turn, steps, blocked }) {
      const { kind, of, conversation } = turn.start;
      const isRedo = kind === 'undo';
      const at = new Date().toISOString();
      const id = newJournalId();
      const journal = store.journal(id, {
        kind: isRedo ? 'redo' : 'undo',
        at,
        of: turn.id,
        ...(conversation !== undefined && { conversation }),
      });
      const paths = steps.map(({ path }) => path);
      const recording = { tool: 'undo', paths, deep: false, maxBytes: store.limits.totalSize * megabyte };
      const begun = await beginChange(store, journal, recording, new Map());
      const failed = await restore(steps, store.content);
      await endChange(store, journal, begun);
      for (const one of isRedo ? [] : killedUndosOf(turn.id)) {
        await takeOver(one, journal, new Set(paths), hash);
        for (const folder of new Set([...one.changes.keys()].map(dirname))) removeAbandonedDrafts(folder);
        mark(one.id, { undone: true, at });
      }
      const done = steps.filter(({ path }) => !failed.some((one) => one.path === path));
      // What may be possible later keeps the turn open for it.
      const isComplete = failed.length === 0 && !blocked.some(({ why }) => keepsOpen(why));
      if (isComplete) mark(turn.id, { undone: true, at });
      else if (done.length > 0) mark(turn.id, { undone: 'partly', at });
      if (isRedo && of !== undefined && done.length > 0)
        mark(of, { undone: isComplete && !hasUndone(of) ? false : 'partly', at });
      for (const { path, to, origin } of done)
        if (origin && to.type === 'file') await store.origins.note(path, origin);
      if (conversation !== undefined && done.length > 0) {
        const named = done.map(({ path }) => path);
        const subject = isRedo && of !== undefined ? (store.turn(of) ?? turn) : turn;
        const text = newsOf(isRedo, subject.start.at, named);
        news.add(conversation, text);
      }
      return failed;
    },
    takeNews: (conversation) => news.take(conversation),
  };
}

const isOpenUndo = ({ start, isUndone, changes }: RecordedTurn): boolean =>
  start.kind === 'undo' && !isUndone && changes.size > 0;

/** Paths that a sentence names. */
const maxNamed = 20;

function newsOf(isRedo: boolean, at: string, paths: readonly string[]): string {
  const what = isRedo ? 'redid the undone changes' : 'undid the changes';
  const named = paths.slice(0, maxNamed).map((path) => toJson(path));
  const more = paths.length > maxNamed ? [`${paths.length - maxNamed} more`] : [];
  return `The user ${what} of the turn that began at ${at}, in: ${[...named, ...more].join(', ')}. Read a file again before you rely on it.`;
}

/** Finds the outermost of the folders above a path that is a link or a file. Looks at each folder once. */
function createNotFolderAbove(): (path: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  const find = (path: string): string | undefined => {
    const above = dirname(path);
    if (above === path) return undefined;
    if (known.has(above)) return known.get(above);
    const { type } = lookAt(above).state;
    const found = find(above) ?? (type === 'folder' || type === 'absent' ? undefined : above);
    known.set(above, found);
    return found;
  };
  return find;
}

/** Undefined when they can't be listed. */
function namesIn(folder: string): readonly string[] | undefined {
  try {
    return namesInFolder(folder).filter((name) => !isDraft(name));
  } catch {
    return undefined;
  }
}
