import type { Caller, Tool } from 'pegboard';
import { actsForModel } from 'pegboard/files';
import type { FileAccess } from './file-access.ts';
import { placeIn, type Root, type Roots } from './roots.ts';

/**
 * The roots together with the project in which the person works. For an agent relative paths start at the project's folder,
 * for the person at the terminal where they stand.
 */
function withProject(roots: Roots, caller: Caller): Roots {
  const { folder, project } = caller.workplace ?? {};
  if (folder === undefined || !project) return roots;
  const root = toRoot(project.root);
  const base = actsForModel(caller) ? root : toRoot(folder);
  const all = [base, root, ...roots.all];
  return {
    ...roots,
    base,
    all,
    place: (path) => placeIn(base, all, path),
    readable: {
      ...roots.readable,
      roots: [...roots.readable.roots, { path: project.root, write: project.write ?? 'ask' }],
    },
    own: project.isTrusted ? [...roots.own, root] : roots.own,
  };
}

const toRoot = (path: string): Root => ({ path, real: path });

/** A tool that also works in the project of whoever calls it. */
export function inProject(access: FileAccess, make: (access: FileAccess) => Tool): Tool {
  const tool = make(access);
  const toolFor = (caller: Caller): Tool =>
    caller.workplace?.project ? make({ ...access, roots: withProject(access.roots, caller) }) : tool;
  return {
    ...tool,
    prepare: (args: unknown, caller: Caller) => toolFor(caller).prepare!(args, caller),
    execute: (args, call) => toolFor(call).execute(args, call),
  };
}
