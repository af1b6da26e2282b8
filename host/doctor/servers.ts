import { join } from 'node:path';
import type { Surroundings } from '../api/surroundings.ts';
import { environmentOf } from '../home-environment.ts';
import type { WhyUnset } from '../core/secrets/why-unset.ts';
import { whyUnsetIn } from '../store/secrets/why-unset.ts';
import { pegboard } from '../core/own-command.ts';
import type { Check } from '../api/diagnostic.ts';
import type { ServerEntry } from '../config.ts';
import type { Host } from '../host.ts';
import { looksLike } from '../core/foreign/look-alike.ts';
import { lookAlikesIn } from '../tools/look-alikes.ts';
import { serverOf } from '../tools/names.ts';
import { withoutEscapeSequences } from '../core/foreign/escape-sequences.ts';
import { shownLine } from '../core/foreign/shown-text.ts';
import { variablesIn } from '../secrets/variables-in.ts';
import { failed, ok, warning } from '../status/check.ts';
import { findProgram, pathOf } from '../core/platform/programs.ts';
import { plural } from '../core/text/plural.ts';
import { withoutSecretParts } from '../status/secret-parts.ts';

/** What a server needs before it can be started: its program and its variables. */
async function checkServerEntry(
  name: string,
  { config }: ServerEntry,
  resolve: (variable: string) => string | undefined,
  whyUnset: WhyUnset,
  { env }: Pick<Surroundings, 'env'>,
): Promise<readonly Check[]> {
  if (config.enabled === false) return [];
  const { missing } = variablesIn(config, resolve);
  const checks = missing.map((variable) =>
    failed(
      `mcp ${name}`,
      `needs the variable ${variable}, which is not set`,
      whyUnset(variable) ?? `export ${variable}=… or ${pegboard} secret set ${variable}`,
    ),
  );
  const { command } = config;
  if (
    command !== undefined &&
    !/[\\/]/.test(command) &&
    !command.includes('$') &&
    findProgram(command, pathOf(env)) === undefined
  ) {
    checks.push(
      failed(
        `mcp ${name}`,
        `its program "${command}" is not on the PATH`,
        `install ${command}, or write its whole path`,
      ),
    );
  }
  return checks;
}

/** What is wrong with the servers, and with their names. Connects none. */
export async function checkMcp(
  host: Host,
  resolve: (variable: string) => string | undefined,
): Promise<readonly Check[]> {
  const whyUnset = whyUnsetIn(environmentOf(host.home, host.surroundings), host.secrets);
  const entries: Check[] = [];
  for (const [name, entry] of host.config.servers)
    entries.push(...(await checkServerEntry(name, entry, resolve, whyUnset, host.surroundings)));
  const known = new Set(entries.map(({ name }) => name));
  return [...entries, ...checkServers(host).filter(({ name }) => !known.has(name)), ...checkNames(host)];
}

/** How the servers are. */
export function checkServers(host: Host): readonly Check[] {
  return host.servers.all.map((server) => {
    const { name, state, tools, pending, error } = server.status();
    if (state === 'idle')
      return ok(`mcp ${name}`, 'not connected: the first call of one of its tools starts it');
    if (state === 'connecting') return ok(`mcp ${name}`, 'is being connected');
    if (state !== 'ready') {
      return failed(
        `mcp ${name}`,
        shownLine(withoutEscapeSequences(withoutSecretParts(error ?? state))),
        state === 'unauthorized'
          ? `${pegboard} mcp login ${name}`
          : `${join(host.home, 'data/logs')} has more`,
      );
    }
    return pending.length > 0
      ? warning(
          `mcp ${name}`,
          `${pending.length} of its tools are new or changed, and pending approval`,
          `${pegboard} mcp approve ${name}`,
        )
      : ok(`mcp ${name}`, `connected, ${plural(tools, 'tool')}`);
  });
}

/** Tools whose names people and models could mistake for other tools. */
function checkNames({ registry, servers }: Host): readonly Check[] {
  const tools = lookAlikesIn(registry.snapshot).map(({ tool: { id, name, source }, like }) =>
    warning(
      `mcp ${serverOf(source)}`,
      `${id} looks like ${like.id}`,
      `review it with ${pegboard} show ${id}; exclude it with block: [${name}] in mcpServers.${serverOf(source)}`,
    ),
  );
  const names = servers.all.map((server) => server.status().name);
  const alike = names.flatMap((name, at) => {
    const like = names.slice(0, at).find((other) => looksLike(name, other));
    return like === undefined
      ? []
      : [warning(`mcp ${name}`, `its name looks like that of ${like}`, `rename one of them in mcpServers`)];
  });
  const renamed = registry.snapshot.diagnostics
    .filter(({ code }) => code === 'mcp-other-module')
    .map(({ message, hint = '' }) => warning('mcp names', message, hint));
  return [...tools, ...alike, ...renamed];
}
