import { relative } from 'node:path';
import { pegboard } from '../core/own-command.ts';
import type { Check } from '../api/diagnostic.ts';
import type { Host } from '../host.ts';
import { differenceFromLock } from '../plugins/elsewhere/check-lock.ts';
import { runChecks } from '../plugins/plugin-checks.ts';
import { openGrants } from '../secrets/grants.ts';
import { failed, ok, warning } from '../status/check.ts';
import { checkPermitted } from './permitted.ts';
import { checkPinned } from './pinned.ts';
import { checkReadable } from './readable.ts';

/** Everything in this home that is trusted, open, or allowed beyond the defaults, and how to restrict it. */
export async function checkTrust(host: Host): Promise<readonly Check[]> {
  const checks = [
    ...confirmations(host),
    ...secrets(host),
    ...unsharedSecrets(host),
    ...servers(host),
    ...plugins(host),
    ...pendingSpaces(host),
    ...allowedClients(host),
    ...checkPinned(host),
    ...checkPermitted(host),
    ...checkReadable(host.home, host.surroundings),
  ];
  // Plugins check their own connections.
  if (!host.reading)
    for (const instance of host.plugins.instances) checks.push(...(await runChecks(instance)));
  return checks.length > 0 ? checks : [ok('trust', 'nothing is allowed beyond the defaults')];
}

function* confirmations({ config, approvals }: Host): Iterable<Check> {
  if (config.confirm === 'never')
    yield warning(
      'confirm',
      'no tool needs confirmation before it runs',
      'confirm: manifest in pegboard.yaml',
    );
  if (config.provenance === 'guarded')
    yield warning(
      'provenance',
      'after reading what others wrote, tools that write run without asking unless they are guarded',
      'provenance: strict in pegboard.yaml',
    );
  const count = approvals.list().length;
  if (count > 0)
    yield ok(
      'confirm',
      `${count === 1 ? '1 tool runs' : `${count} tools run`} without asking, since you allowed it: ${pegboard} approvals list`,
    );
}

/** Which tools may read which secrets. */
function* secrets(host: Host): Iterable<Check> {
  const grantOf = openGrants(host);
  for (const tool of host.registry.snapshot.tools.values()) {
    const names = tool.secrets?.() ?? [];
    if (names.length === 0) continue;
    const granted = ['given', 'never asks'].includes(grantOf(tool));
    const revoke = `${pegboard} approvals revoke ${tool.id} ends that`;
    yield ok(
      `secrets ${tool.id}`,
      `${granted ? 'gets' : 'asks before it gets'} ${names.join(', ')}${granted ? `; ${revoke}` : ''}`,
    );
  }
}

/** Stored before the home had other hosts. */
function* unsharedSecrets({ secrets: { unshared } }: Host): Iterable<Check> {
  if (unshared.length === 0) return;
  const are = unshared.length === 1 ? 'is' : 'are';
  const them = unshared.length === 1 ? 'it' : 'them';
  yield warning(
    'secrets',
    `${unshared.join(', ')} ${are} on this machine alone: the other hosts of this state do not have ${them}`,
    `${pegboard} secret set ${unshared[0]}`,
  );
}

function* servers({ config, home }: Host): Iterable<Check> {
  for (const [name, { config: server, origin }] of config.servers) {
    if (server.trust === true && server.enabled !== false)
      yield warning(
        `mcp ${name}`,
        'may change what its tools say and do without asking, because trust: true is set',
        `take trust out of mcpServers.${name} in ${relative(home, origin)}`,
      );
  }
}

function* plugins({ plugins: { states }, trust }: Host): Iterable<Check> {
  for (const { manifest, state } of states) {
    if (manifest.builtin) continue;
    const { id } = manifest;
    const difference = manifest.dynamic ? undefined : differenceFromLock(manifest, trust);
    if (difference) yield failed(`plugin ${id}`, difference.message, `${pegboard} plugins update ${id}`);
    if (state === 'untrusted')
      yield warning(
        `plugin ${id}`,
        'does not run, because it is not trusted yet',
        `${pegboard} approvals allow ${id}`,
      );
    if (state === 'running')
      yield ok(`plugin ${id}`, `runs with all your rights; ${pegboard} approvals revoke ${id} ends that`);
  }
}

function* pendingSpaces({ spaces }: Host): Iterable<Check> {
  for (const { id, pending } of spaces.all) {
    if (!pending) continue;
    const { length } = pending.changes;
    const what = pending.whole
      ? 'is pending approval'
      : `has ${length} file${length === 1 ? '' : 's'} pending approval`;
    const why = pending.known ? 'it is not what you approved' : 'somebody else wrote it';
    yield warning(`space ${id}`, `${what}, because ${why}`, `${pegboard} approvals allow spaces/${id}`);
  }
}

function* allowedClients({ config }: Host): Iterable<Check> {
  const { allowedHosts = [], allowedOrigins = [] } = config.serve;
  if (allowedHosts.length + allowedOrigins.length > 0)
    yield ok('serve', `also answers ${[...allowedHosts, ...allowedOrigins].join(', ')}`);
}
