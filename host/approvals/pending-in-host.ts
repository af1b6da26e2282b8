import type { PendingApproval, ApprovingHost } from './pending-approval.ts';
import { pendingPlugins } from './plugins.ts';
import { pendingAtServers } from './servers.ts';
import { pendingSpaces } from './spaces.ts';

/** All pending approvals in a host. */
export const pendingIn = (host: ApprovingHost): readonly PendingApproval[] => [
  ...pendingAtServers(host),
  ...pendingSpaces(host),
  ...pendingPlugins(host),
];
