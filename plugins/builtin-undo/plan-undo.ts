import { dirname, join } from 'node:path';
import type { Origin } from 'pegboard';
import { isSameState, type FileState } from './file-state.ts';
import type { RecordedChange } from './recorded-turn.ts';

/** A path that gets another state. */
export interface UndoStep {
  readonly path: string;
  readonly from: FileState;
  readonly to: FileState;
  readonly origin?: Origin | undefined;
}

/** Why a path stays as it is. */
export type Obstacle =
  /** Something else is there than the turn left. */
  | 'changed since'
  /** The call that may have changed it was cut off, so what it left isn't known. */
  | 'cut off'
  /** A folder that the turn created holds something else now. */
  | 'not empty'
  /** The content of the file was not kept, because of its size or the size of what the turn changed. */
  | 'not kept'
  /** Undoing could not be taken back, because the file that is there now would not be kept. */
  | 'too large to keep'
  /** A device, pipe or socket, or a folder such as node_modules. */
  | 'not a file'
  /** No longer in the home or a listed folder. */
  | 'outside'
  /** A folder above it is a link or a file now, which the turn didn't make. */
  | 'unreachable'
  /** It is that link or file. */
  | 'replaced';

/** How an obstacle can be overcome: with `--force`, when somebody puts a folder back, or not at all. */
const remedies: Readonly<Record<Obstacle, 'force' | 'folder' | 'none'>> = {
  'changed since': 'force',
  'cut off': 'force',
  'too large to keep': 'force',
  unreachable: 'folder',
  replaced: 'folder',
  'not empty': 'none',
  'not kept': 'none',
  'not a file': 'none',
  outside: 'none',
};

/** Whether the turn stays open for an obstacle, although the rest is undone. */
export const keepsOpen = (why: Obstacle): boolean => remedies[why] === 'folder';

/** Whether anything can be undone, now or later. */
export const hasMore = ({ steps, blocked }: PlannedUndo): boolean =>
  steps.length > 0 || blocked.some(({ why }) => remedies[why] !== 'none');

interface BlockedPath {
  readonly path: string;
  readonly why: Obstacle;
}

export interface PlannedUndo {
  /** In any order. */
  readonly steps: readonly UndoStep[];
  readonly blocked: readonly BlockedPath[];
}

export interface PlanFacts {
  readonly current: (path: string) => FileState;
  /** The names in a folder as it is now. Undefined when they can't be listed. */
  readonly namesIn: (path: string) => readonly string[] | undefined;
  readonly isKept: (hash: string) => boolean;
  /** By the size in bytes of a file that is there now. */
  readonly mayKeep: (size: number) => boolean;
  readonly mayWrite: (path: string) => boolean;
  /** The outermost of the folders above it that is a link or a file now. */
  readonly notFolderAbove: (path: string) => string | undefined;
  /** Paths that were changed since, and those of calls that were cut off, are restored too. */
  readonly force: boolean;
}

/** Decides what undoing a turn changes. Pure, except for what `facts` look up. */
export function planUndo(
  changes: ReadonlyMap<string, RecordedChange>,
  { current, namesIn, isKept, mayKeep, mayWrite, notFolderAbove, force }: PlanFacts,
): PlannedUndo {
  const steps = new Map<string, UndoStep>();
  const blocked: BlockedPath[] = [];
  const changed = [...changes].filter(([, { before, after }]) => !(after && isSameState(before, after)));
  const replaced = new Set(changed.flatMap(([path]) => replacedAbove(path) ?? []));
  for (const [path, { before: to, after, origin }] of changed) {
    const from = current(path);
    // What is behind a link counts as absent.
    if (isSameState(from, to) && replacedAbove(path) === undefined) continue;
    const why = obstacle(path, { from, to, after });
    if (why) blocked.push({ path, why });
    else steps.set(path, { path, from, to, origin });
  }
  // Folders that are to be removed, the innermost first.
  for (const { path, from, to } of [...steps.values()].sort((a, b) => b.path.length - a.path.length)) {
    if (from.type !== 'folder' || to.type === 'folder') continue;
    const stays = (name: string): boolean => steps.get(join(path, name))?.to.type !== 'absent';
    if (namesIn(path)?.some(stays) === false) continue;
    steps.delete(path);
    blocked.push({ path, why: 'not empty' });
  }
  // What was in a folder that can't be made again.
  for (const { path, why } of blocked) {
    if (changes.get(path)?.before.type !== 'folder') continue;
    for (const step of steps.values())
      if (dirname(step.path) === path && current(path).type !== 'folder') {
        steps.delete(step.path);
        blocked.push({ path: step.path, why });
      }
  }
  return { steps: [...steps.values()], blocked };

  /** The folder above it in whose place is something that the turn neither found nor left there. */
  function replacedAbove(path: string): string | undefined {
    const above = notFolderAbove(path);
    if (above === undefined) return undefined;
    const { before, after } = changes.get(above) ?? {};
    const isOfTurn = [before, after].some((state) => state && isSameState(state, current(above)));
    return isOfTurn ? undefined : above;
  }

  function obstacle(
    path: string,
    { from, to, after }: Pick<UndoStep, 'from' | 'to'> & { readonly after: FileState | undefined },
  ): Obstacle | undefined {
    if (!mayWrite(path)) return 'outside';
    if (replacedAbove(path) !== undefined) return 'unreachable';
    if (replaced.has(path)) return 'replaced';
    if ([from, to].some(({ type }) => type === 'other' || type === 'skipped')) return 'not a file';
    if (to.type === 'file' && !(to.hash && isKept(to.hash))) return 'not kept';
    if (!force && from.type === 'file' && !mayKeep(from.size)) return 'too large to keep';
    if (force || (after && isSameState(from, after))) return undefined;
    return after ? 'changed since' : 'cut off';
  }
}
