import type { KnownFolders } from '../../api/known-folders.ts';
import { packageRoot, realPathOf } from './paths.ts';
import { userStateFolder, type User } from '../platform/places.ts';

/** For callers without a workspace, such as an MCP server. */
export const foldersWithoutCaller = (home: string, user: User): KnownFolders => ({
  home: realPathOf(home),
  installation: realPathOf(packageRoot),
  userHome: realPathOf(user.userHome),
  userState: realPathOf(userStateFolder(user)),
  workspaces: [],
  roots: [],
  named: [],
  dependencyFolders: [],
});
