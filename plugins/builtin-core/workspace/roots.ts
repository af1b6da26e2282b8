import { mkdirSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { PegboardError, type Agent } from 'pegboard';
import type { Root, Roots } from '../filesystem/roots.ts';

/** The folder of a space, or of the home where no space acts, that is its agents' own. */
const folderName = 'workspace';

/** Roots of which a workspace is the only one: relative paths start there, and none leads out. Makes the folder. */
export function workspaceRoots(home: Root, agent: Pick<Agent, 'folder'>): Roots {
  const path = join(agent.folder, folderName);
  mkdirSync(path, { recursive: true });
  const workspace: Root = { path, real: realpathSync(path) };
  if (wayInto(home.real, workspace.real) === undefined) throw outside(path, home.path);
  return {
    home,
    base: workspace,
    all: [workspace],
    place(written) {
      if (written.includes('\0'))
        throw new PegboardError('PEG_INVALID_ARGUMENTS', 'The path holds a NUL byte.');
      const absolute = resolve(workspace.path, written);
      const way = wayInto(workspace.path, absolute) ?? wayInto(workspace.real, absolute);
      if (way === undefined) throw outside(absolute, path);
      return { root: workspace, relative: way };
    },
  };
}

function wayInto(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way;
}

const outside = (path: string, workspace: string): PegboardError =>
  new PegboardError(
    'PEG_DENIED',
    `${path} is outside ${workspace}, which is all that these tools may use. The tools read, write and edit work in the whole home.`,
  );
