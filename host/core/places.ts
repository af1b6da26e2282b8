import type { Places } from '../api/places.ts';
import { packageRoot, realPathOf } from './paths.ts';
import { userStateFolder } from './state-folder.ts';

/** Of whoever has no workspace, an MCP server for instance. */
export const placesOfNobody = (home: string): Places => ({
  home: realPathOf(home),
  installation: realPathOf(packageRoot),
  userState: realPathOf(userStateFolder()),
  workspaces: [],
  roots: [],
  named: [],
  around: [],
});
