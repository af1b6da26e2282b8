import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Workplace } from '../../api/known-folders.ts';
import type { Surroundings } from '../../api/surroundings.ts';
import { isWithin, realPathOf } from './paths.ts';

/** The folder in a project that makes it a home of its own. */
export const projectHomeName = '.pegboard';

/** Whether the home belongs to a project, and so to everybody who works on it. */
export function isProjectHome(home: string, { userHome }: Pick<Surroundings, 'userHome'>): boolean {
  const path = realPathOf(home);
  return basename(path) === projectHomeName && path !== realPathOf(join(userHome, projectHomeName));
}

/** The folder to which a conversation belongs that is begun there: the whole project, where there is one. */
export const conversationFolder = ({ folder, project }: Workplace): string => project?.root ?? folder;

/** Instructions of a project for agents. In each folder the first that is there counts. */
export const instructionFiles: readonly string[] = ['AGENTS.md', 'CLAUDE.md'];

const markers: readonly string[] = ['.git', projectHomeName];

/**
 * The project that a folder belongs to: the nearest folder upward with `.git` or `.pegboard`, else the outermost with
 * AGENTS.md or CLAUDE.md. Undefined within the home. The user's home directory, the folders above it and folders of other
 * users are no projects. Paths are real.
 */
export function findProject(
  folder: string,
  home: string,
  { userHome }: Pick<Surroundings, 'userHome'>,
): string | undefined {
  if (isWithin(home, folder)) return undefined;
  const above = foldersAbove(folder, userHome);
  return (
    above.find((place) => has(place, markers) && isOwn(place)) ??
    above.findLast((place) => has(place, instructionFiles) && isOwn(place))
  );
}

/** From the folder upward, as far as projects may lie. */
function foldersAbove(folder: string, userHome: string): readonly string[] {
  const user = realPathOf(userHome);
  const found: string[] = [];
  for (let place = folder; place !== dirname(place) && !isWithin(place, user); place = dirname(place))
    found.push(place);
  return found;
}

const has = (folder: string, names: readonly string[]): boolean =>
  names.some((name) => existsSync(join(folder, name)));

/** Whoever may write in a folder that others also use, such as /tmp, could make a project of it. */
function isOwn(folder: string): boolean {
  const user = process.geteuid?.();
  return user === undefined || statSync(folder, { throwIfNoEntry: false })?.uid === user;
}
