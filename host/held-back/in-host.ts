import type { HeldBack, HoldingHost } from './held-back.ts';
import { heldPlugins } from './plugins.ts';
import { heldAtServers } from './servers.ts';
import { heldSpaces } from './spaces.ts';

/** All that waits for the owner in a host. */
export const heldBackIn = (host: HoldingHost): readonly HeldBack[] => [
  ...heldAtServers(host),
  ...heldSpaces(host),
  ...heldPlugins(host),
];
