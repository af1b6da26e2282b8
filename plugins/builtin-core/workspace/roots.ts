import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { PegboardError, type Agent } from 'pegboard';
import { openFolder } from 'pegboard/files';
import { relativePathIn, type Root, type Roots } from '../filesystem/access/roots.ts';

/** The folder of a space, or of the home if there is no space, that belongs to its agents. */
const folderName = 'workspace';

/**
 * Roots with the workspace as their only folder: relative paths start there, and none leads out. Creates the folder.
 * Throws PEG_DENIED when it or its space is a symbolic link, because the boundary of free writes must be a real folder.
 */
export function workspaceRoots({ home, readable, env }: Roots, agent: Pick<Agent, 'folder'>): Roots {
  const path = join(agent.folder, folderName);
  const workspace: Root = { path, real: realWorkspace(home, agent) };
  openFolder(workspace.real, { make: true })[Symbol.dispose]();
  return {
    home,
    base: workspace,
    all: [workspace],
    listed: [],
    own: [home],
    env,
    readable: { ...readable, roots: [], workspaces: [workspace.real] },
    place(written) {
      if (written.includes('\0'))
        throw new PegboardError('PEG_INVALID_ARGUMENTS', 'The path contains a NUL byte.');
      const absolute = resolve(workspace.path, written);
      const way = relativePathIn(workspace.path, absolute) ?? relativePathIn(workspace.real, absolute);
      if (way === undefined) throw outside(absolute, path);
      return { root: workspace, relative: way };
    },
  };
}

/** Its expected path below the home's real path. Whether it is real is checked when it is opened. */
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
