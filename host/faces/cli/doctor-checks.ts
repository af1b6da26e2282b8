import { access, constants, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { loadConfig, type ServerEntry } from '../../config.ts';
import { messageOf } from '../../core/errors.ts';
import { interpolate } from '../../core/interpolate.ts';
import type { Host } from '../../host.ts';
import { oneLine } from './terminal/safe.ts';

export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message: string;
  /** What to do. */
  readonly fix?: string;
}

const oldestNode = 24;

export function checkNode(): Check {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= oldestNode) return ok('Node', node);
  return failed('Node', `${node} is too old`, `install Node ${oldestNode} or newer`);
}

/** A home that isn't there works with the built-in tools alone; one that can't be written to forgets everything. */
export async function checkHome(home: string): Promise<Check> {
  try {
    await access(home);
  } catch {
    return warning('home', `${home} does not exist`, `pegboard init ${home}`);
  }
  const probe = join(home, 'data', `.doctor-${process.pid}`);
  try {
    await mkdir(join(home, 'data'), { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
    return ok('home', home);
  } catch (cause) {
    return failed(
      'home',
      `${home} can't be written to (${messageOf(cause)})`,
      `make ${join(home, 'data')} writable`,
    );
  }
}

export async function checkConfig(home: string): Promise<Check> {
  const { diagnostics } = await loadConfig(home, (name) => process.env[name]);
  const [first] = diagnostics;
  if (!first) return ok('config', 'pegboard.yaml and .mcp.json are right');
  const place = [first.path, first.line, first.column].filter((part) => part !== undefined).join(':');
  const broken = diagnostics.some(({ severity }) => severity === 'error');
  return {
    name: 'config',
    status: broken ? 'failed' : 'warning',
    message: `${place}: ${first.message}`,
    fix: first.hint ?? 'pegboard lint',
  };
}

export async function checkShell(): Promise<Check> {
  const path = await findProgram('bash');
  return path === undefined
    ? warning('bash', 'not found', 'install bash: commands with pipes, && or redirects need it')
    : ok('bash', path);
}

export async function checkPort(): Promise<Check> {
  const server = createServer();
  try {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return ok('ports', 'this machine lets Pegboard listen on 127.0.0.1');
  } catch (cause) {
    return warning(
      'ports',
      `no port can be opened on 127.0.0.1 (${messageOf(cause)})`,
      'serve over stdio instead',
    );
  } finally {
    server.close();
  }
}

/** What a server needs before it can be started: its program and its variables. */
export async function checkServerEntry(name: string, { config }: ServerEntry): Promise<readonly Check[]> {
  if (config.enabled === false) return [];
  const texts = [
    config.command,
    config.url,
    ...(config.args ?? []),
    ...Object.values(config.env ?? {}),
    ...Object.values(config.headers ?? {}),
  ];
  const missing = new Set(
    texts.flatMap((text) => interpolate(text ?? '', (variable) => process.env[variable]).missing),
  );
  const checks = [...missing].map((variable) =>
    failed(`mcp ${name}`, `needs the variable ${variable}, which is not set`, `export ${variable}=…`),
  );
  const { command } = config;
  if (
    command !== undefined &&
    !command.includes('/') &&
    !command.includes('$') &&
    (await findProgram(command)) === undefined
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

/** Of servers that were asked to connect. */
export function checkServers(host: Host): readonly Check[] {
  return host.servers.all.map((server) => {
    const { name, state, tools, quarantined, error } = server.status();
    if (state !== 'ready') {
      return failed(
        `mcp ${name}`,
        oneLine(error ?? state),
        state === 'unauthorized' ? `pegboard mcp login ${name}` : `${join(host.home, 'data/logs')} has more`,
      );
    }
    return quarantined.length > 0
      ? warning(
          `mcp ${name}`,
          `${quarantined.length} of its tools changed and are held back`,
          `pegboard mcp approve ${name}`,
        )
      : ok(`mcp ${name}`, `connected, ${tools} tools`);
  });
}

export function checkTools(host: Host): Check {
  const { size } = host.registry.snapshot.tools;
  const errors = host.diagnostics.filter(({ severity }) => severity === 'error').length;
  if (errors > 0)
    return failed(
      'tools',
      `${size} work, ${errors} thing${errors === 1 ? ' is' : 's are'} broken`,
      'pegboard lint, pegboard tools',
    );
  return size === 0
    ? warning('tools', 'there are none', 'pegboard new tool NAME')
    : ok('tools', `${size} registered`);
}

async function findProgram(name: string): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

function ok(name: string, message: string): Check {
  return { name, status: 'ok', message };
}

function warning(name: string, message: string, fix: string): Check {
  return { name, status: 'warning', message, fix };
}

function failed(name: string, message: string, fix: string): Check {
  return { name, status: 'failed', message, fix };
}
