import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import type { User } from '../core/platform/places.ts';
import { docsPage } from '../core/docs-page.ts';
import { pegboard } from '../core/own-command.ts';
import type { Check } from '../api/diagnostic.ts';
import { loadConfig } from '../config.ts';
import { resolverOf, secretsOf } from '../compose/home-secrets.ts';
import { environmentOf } from '../home-environment.ts';
import { whyUnsetIn } from '../store/secrets/why-unset.ts';
import { configFile, localConfigFile, mcpFile } from '../core/files/config-files.ts';
import { messageOf } from '../core/errors.ts';
import { fileErrorInWords } from '../core/system-error.ts';
import type { HomeTrust } from '../home-trust.ts';
import { checkDisk } from './disk.ts';
import { failed, ok, warning } from '../status/check.ts';
import { findBash } from '../core/platform/shells.ts';
import { shortcomingsOf } from '../core/platform/shortcomings.ts';
import { thisPlatform } from '../core/platform/this-platform.ts';

const minNodeMajor = 24;

/** What does not depend on a running host. */
export async function checkSurroundings(
  home: string,
  trust: HomeTrust,
  user: User,
): Promise<readonly Check[]> {
  return [
    checkNode(),
    trust === 'known' ? await checkHome(home) : checkHomeTrust(home, trust),
    await checkDisk(home),
    await checkConfig(home, user),
    ...checkPlatform(),
    checkShell(user),
    await checkPort(),
  ];
}

function checkNode(): Check {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= minNodeMajor) return ok('Node', node);
  return failed('Node', `${node} is too old`, `install Node ${minNodeMajor} or newer`);
}

/** In a home that can't be written to, nothing is stored. */
async function checkHome(home: string): Promise<Check> {
  const probe = join(home, 'data', `.doctor-${process.pid}`);
  try {
    await mkdir(join(home, 'data'), { recursive: true, mode: 0o700 });
    await writeFile(probe, '', { mode: 0o600 });
    await rm(probe);
    return ok('home', home);
  } catch (cause) {
    return failed(
      'home',
      `${home} can't be written to (${fileErrorInWords(cause)})`,
      `make ${join(home, 'data')} writable`,
    );
  }
}

/** For a home that is not run. */
function checkHomeTrust(home: string, trust: HomeTrust): Check {
  if (trust === 'unknown')
    return warning('home', `${home} is unknown, so nothing of it runs`, `${pegboard} trust ${home}`);
  const there = existsSync(home) ? `there is nothing in ${home}` : `${home} does not exist`;
  return warning('home', there, `${pegboard} init ${home}`);
}

async function checkConfig(home: string, user: User): Promise<Check> {
  const whyUnset = whyUnsetIn(environmentOf(home, user), secretsOf(home, user));
  const { diagnostics } = await loadConfig(home, { ...user, resolve: resolverOf(home, user), whyUnset });
  const [first] = diagnostics;
  const files = [configFile, ...(existsSync(join(home, localConfigFile)) ? [localConfigFile] : [])];
  if (!first) return ok('config', `${files.join(', ')} and ${mcpFile} are valid`);
  const place = [first.path, first.line, first.column].filter((part) => part !== undefined).join(':');
  const broken = diagnostics.some(({ severity }) => severity === 'error');
  return {
    name: 'config',
    status: broken ? 'failed' : 'warning',
    message: `${place}: ${first.message}`,
    fix: first.hint ?? `${pegboard} lint`,
  };
}

function checkShell({ env }: User): Check {
  const path = findBash({ environment: env });
  if (path !== undefined) return ok('bash', path);
  const where =
    thisPlatform === 'win32' ? 'Git for Windows (https://git-scm.com), which brings bash' : 'bash';
  return warning('bash', 'not found', `install ${where}: commands with pipes, && or redirects need it`);
}

/** What doesn't work on this system, whatever is installed. */
export function checkPlatform(platform: NodeJS.Platform = thisPlatform): readonly Check[] {
  const lacking = shortcomingsOf(platform).map(({ about, what }) =>
    warning('system', `${about}: ${what}`, `${docsPage('platforms.md')} says what applies instead`),
  );
  return lacking.length > 0 ? lacking : [ok('system', `${platform}: it has everything that Pegboard uses`)];
}

async function checkPort(): Promise<Check> {
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
