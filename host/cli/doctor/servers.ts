import { join } from 'node:path';
import { pegboard } from '../../core/own-command.ts';
import type { Check } from '../../api/diagnostic.ts';
import type { ServerEntry } from '../../config.ts';
import { interpolate } from '../../core/documents/interpolate.ts';
import type { Host } from '../../host.ts';
import { looksLike } from '../../core/foreign/look-alike.ts';
import { lookAlikesIn } from '../../tools/look-alikes.ts';
import { oneLine } from '../terminal/safe.ts';
import { failed, ok, warning } from '../../status/check.ts';
import { findProgram } from '../../core/platform/programs.ts';
import { plural } from '../../core/text/plural.ts';

/** What a server needs before it can be started: its program and its variables. */
export async function checkServerEntry(
  name: string,
  { config }: ServerEntry,
  resolve: (variable: string) => string | undefined,
): Promise<readonly Check[]> {
  if (config.enabled === false) return [];
  const texts = [
    config.command,
    config.url,
    ...(config.args ?? []),
    ...Object.values(config.env ?? {}),
    ...Object.values(config.headers ?? {}),
  ];
  const missing = new Set(texts.flatMap((text) => interpolate(text ?? '', resolve).missing));
  const checks = [...missing].map((variable) =>
    failed(
      `mcp ${name}`,
      `needs the variable ${variable}, which is not set`,
      `export ${variable}=… or ${pegboard} secret set ${variable}`,
    ),
  );
  const { command } = config;
  if (
    command !== undefined &&
    !/[\\/]/.test(command) &&
    !command.includes('$') &&
    findProgram(command) === undefined
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

/** Checks of servers that were asked to connect. */
export function checkServers(host: Host): readonly Check[] {
  return host.servers.all.map((server) => {
    const { name, state, tools, pending, error } = server.status();
    if (state !== 'ready') {
      return failed(
        `mcp ${name}`,
        oneLine(error ?? state),
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
export function checkNames({ registry, servers }: Host): readonly Check[] {
  const tools = lookAlikesIn(registry.snapshot).map(({ tool: { id, name, source }, like }) =>
    warning(
      `mcp ${source.module}`,
      `${id} looks like ${like.id}`,
      `review it with ${pegboard} show ${id}; exclude it with block: [${name}] in mcpServers.${source.module}`,
    ),
  );
  const names = servers.all.map((server) => server.status().name);
  const alike = names.flatMap((name, at) => {
    const like = names.slice(0, at).find((other) => looksLike(name, other));
    return like === undefined
      ? []
      : [warning(`mcp ${name}`, `its name looks like that of ${like}`, `rename one of them in mcpServers`)];
  });
  return [...tools, ...alike];
}
