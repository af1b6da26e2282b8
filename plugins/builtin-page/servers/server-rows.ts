import type { Host } from 'pegboard/embed';
import {
  commandOf,
  type McpSource,
  type McpStatus,
  type ServerEntry,
  shownConfig,
  transportOf,
  withoutSecretParts,
} from 'pegboard/home';
import { shortPath } from 'pegboard/kit';
import { firstLineOf } from '../api/first-line.ts';
import { pendingRowOf } from '../api/pending-rows.ts';
import type { HeldBack, ServerDetails, ServerRow, ServerState } from './wire.ts';

/** Every server of the configuration, those that are off too. */
export const serverRows = (host: Host): readonly ServerRow[] =>
  [...host.config.servers].map(([name, entry]) => toRow(name, entry, host));

function toRow(name: string, { config }: ServerEntry, { servers }: Host): ServerRow {
  const source = servers.get(name);
  const facts = { name, transport: transportOf(config), tools: 0, held: 0 };
  if (!source) return { ...facts, state: config.enabled === false ? 'off' : 'not started' };
  const status = source.status();
  const state = stateOf(status, source.capabilities() !== undefined);
  return {
    name,
    state,
    ...(state !== 'never connected' && state !== 'not started' && { since: status.since }),
    transport: status.transport,
    tools: status.tools,
    held: status.pending.length,
    ...(status.error !== undefined && { problem: withoutSecretParts(status.error) }),
  };
}

/** In words of which each means one thing. `isKnown`: it has been connected at some time. Pure. */
function stateOf({ state, pending }: Pick<McpStatus, 'state' | 'pending'>, isKnown: boolean): ServerState {
  switch (state) {
    case 'ready':
      return pending.length > 0 ? 'held back' : 'connected';
    case 'connecting':
    case 'failed':
      return state;
    case 'unauthorized':
      return 'needs a login';
    case 'stopped':
      return 'closed';
    case 'idle':
      if (!isKnown) return 'never connected';
      return pending.length > 0 ? 'held back' : 'not started';
  }
}

/** Values of variables and headers are left out, and so is what may be a secret in its command or address. */
export function serverDetails(name: string, entry: ServerEntry, host: Host): ServerDetails {
  const { config, origin } = entry;
  const source = host.servers.get(name);
  const { allow, block, confirm, cwd, env = {}, headers = {} } = config;
  return {
    ...toRow(name, entry, host),
    origin: shortPath(origin, host.home),
    runs: withoutSecretParts(host.redact(commandOf(shownConfig(name, config)))),
    ...(cwd !== undefined && { cwd }),
    variables: Object.keys(env),
    headers: Object.keys(headers),
    ...(allow && { allow }),
    ...(block && { block }),
    ...(confirm !== undefined && { confirm }),
    isTrusted: config.trust === true,
    mayLogIn: transportOf(config) !== 'stdio',
    ...(source ? liveDetails(source, host) : notRunning),
  };
}

const notRunning = { restarts: 0, warnings: [], offered: [], heldBack: [] } as const;

function liveDetails(source: McpSource, host: Host) {
  const { restarts, pid, era, serverInfo, warnings = [] } = source.status();
  const software = softwareOf(serverInfo);
  const { instructions } = source;
  const pending = pendingRowOf(source.name, host);
  return {
    restarts,
    warnings,
    ...(pid !== undefined && { pid }),
    ...(era !== undefined && { era }),
    ...(software !== '' && { software }),
    ...(instructions !== undefined && { instructions }),
    offered: [...host.registry.snapshot.tools.values()]
      .filter((tool) => tool.source.id === source.id)
      .map(({ id, description }) => ({ id, summary: firstLineOf(description) })),
    heldBack: source.pendingTools.map((one): HeldBack => ({
      name: one.name,
      isChanged: one.approved !== undefined,
      warnings: one.injectionPatterns,
    })),
    ...(pending && { pending }),
  };
}

function softwareOf({ name, version }: NonNullable<McpStatus['serverInfo']> = {}): string {
  return [name, version].filter((part) => typeof part === 'string').join(' ');
}
