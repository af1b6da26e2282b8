import { basename, join } from 'node:path';
import { pegboard } from '../../core/own-command.ts';
import type { Diagnostic } from '../../api/diagnostic.ts';
import { PegboardError } from '../../core/errors.ts';
import { nameIn } from './pinned-tree.ts';

/** A file or folder that differs from what was approved. */
export interface SpaceChange {
  /** Path within the space, separated by "/". */
  readonly name: string;
  readonly kind: 'new' | 'changed' | 'gone';
}

/** What is pending approval in a space. */
export interface PendingSpace {
  /** An earlier version of the space was approved. */
  readonly known: boolean;
  /** The whole space is pending, because a change affects what agents may do or what may be executed. */
  readonly whole: boolean;
  readonly changes: readonly SpaceChange[];
  /** Why the space can't be read, if it can't. */
  readonly problem?: string;
}

export function isPending({ whole, changes }: PendingSpace, folder: string, path: string): boolean {
  if (whole) return true;
  const name = nameIn(folder, path);
  // What lies beside a skill is a part of it.
  const skill = /^(agent\/skills\/.+)\/SKILL\.md$/.exec(name)?.[1];
  return changes.some((one) => one.name === name || (skill && one.name.startsWith(`${skill}/`)));
}

export const allowCommand = (space: string): string => `${pegboard} approvals allow spaces/${space}`;

export function pendingFileError(folder: string, path: string, pending: PendingSpace): PegboardError {
  const space = basename(folder);
  const name = nameIn(folder, path);
  const what = pending.whole ? `the space ${space}` : `${name} of the space ${space}`;
  return new PegboardError(
    'PEG_TOOL_UNAVAILABLE',
    `It was not run: ${what} is not what was approved, and is pending approval. See what changed and approve it with \`${allowCommand(space)}\`.`,
  );
}

/** Diagnostics for what is pending approval in a space. */
export function pendingDiagnostics(folder: string, pending: PendingSpace | undefined): readonly Diagnostic[] {
  if (!pending) return [];
  const space = basename(folder);
  const common = { severity: 'warning', hint: allowCommand(space) } as const;
  if (!pending.known) {
    const message = `the space ${space} comes from somebody else, and is not used until you approve it`;
    return [{ ...common, code: 'new-space', message, path: folder }];
  }
  if (pending.problem !== undefined) {
    const message = `the space ${space} is pending approval, because it can't be compared with what was approved: ${pending.problem}`;
    return [{ ...common, code: 'changed-space', message, path: folder }];
  }
  const shown = pending.changes.slice(0, maxShown);
  const left = pending.changes.length - shown.length;
  return shown.map(({ name, kind }, at) => ({
    ...common,
    code: pending.whole ? 'changed-space' : 'changed-file',
    message: `${describe(name, kind)}${at === maxShown - 1 && left > 0 ? `, and ${left} more` : ''}; ${pending.whole ? `all of the space ${space}` : 'it'} is pending approval`,
    path: join(folder, name),
  }));
}

/** Limits the list, because a pull may change thousands of files. */
const maxShown = 20;

const describe = (name: string, kind: SpaceChange['kind']): string =>
  kind === 'changed' ? `${name} is not what was approved` : `${name} is ${kind}`;
