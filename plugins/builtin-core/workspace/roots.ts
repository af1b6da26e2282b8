import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { PegboardError, type Agent } from 'pegboard';
import { holdFolder } from 'pegboard/files';
import { wayInto, type Root, type Roots } from '../filesystem/access/roots.ts';

/** The folder of a space, or of the home where no space acts, that is its agents' own. */
const folderName = 'workspace';

/**
 * Roots of which a workspace is the only one: relative paths start there, and none leads out. Makes the folder. Throws
 * PEG_DENIED where it, or its space, is a symbolic link: the boundary of what is free to write must be a real folder.
 */
export function workspaceRoots({ home, denied }: Roots, agent: Pick<Agent, 'folder'>): Roots {
  const path = join(agent.folder, folderName);
  const workspace: Root = { path, real: realWorkspace(home, agent) };
  holdFolder(workspace.real, { make: true })[Symbol.dispose]();
  return {
    home,
    base: workspace,
    all: [workspace],
    listed: [],
    denied,
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

/** Where it has to be, below the home's real path: what lies there is only looked at when it is opened. */
function realWorkspace(home: Root, { folder }: Pick<Agent, 'folder'>): string {
  const way = relative(home.path, folder);
  if (way.split(sep)[0] === '..' || isAbsolute(way)) throw outside(folder, home.path);
  return join(home.real, way, folderName);
}

const outside = (path: string, workspace: string): PegboardError =>
  new PegboardError(
    'PEG_DENIED',
    `${path} is outside ${workspace}, which is all that these tools may use. The tools read, write and edit work in the whole home.`,
  );
