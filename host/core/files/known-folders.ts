import type { KnownFolders } from '../../api/known-folders.ts';
import { packageRoot, realPathOf } from './paths.ts';
import { userStateFolder } from '../platform/places.ts';

/** For callers without a workspace, such as an MCP server. */
export const foldersWithoutCaller = (home: string): KnownFolders => ({
  home: realPathOf(home),
  installation: realPathOf(packageRoot),
  userState: realPathOf(userStateFolder()),
  workspaces: [],
  roots: [],
  named: [],
  dependencyFolders: [],
});
