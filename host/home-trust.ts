import { lstatSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { pegboard } from './core/own-command.ts';
import type { Diagnostic } from './api/diagnostic.ts';
import type { HostConfig } from './config.ts';
import { PegboardError } from './core/errors.ts';
import type { User } from './core/platform/places.ts';
import { configFiles } from './core/files/config-files.ts';
import { packageRoot, realPathOf } from './core/files/paths.ts';
import { changedSinceTrusted, knownHome, rememberHome } from './store/owner/known-homes.ts';

/** A variable of the process that names known homes, for containers and CI. */
export const trustVariable = 'PEGBOARD_TRUST_HOME';

/**
 * Whether code and servers of a home may run. `known`: its user trusts it. `empty`: it contains nothing that could run.
 * `unknown`: its user hasn't decided yet; it is read, and nothing in it is started.
 */
export type HomeTrust = 'known' | 'empty' | 'unknown';

/** All that Pegboard reads of a home. */
const partsOfHome = [...configFiles, '.env', 'spaces', 'plugins', 'data', 'node_modules'];

/** By its real path only: a copy, a home within a known one and one behind a link are separate homes. */
export function homeTrust(home: string, user: User): HomeTrust {
  const path = realPathOf(home);
  if (path === realPathOf(packageRoot) || isTrustedByEnvironment(path, user)) return 'known';
  const known = knownHome(path, user);
  if (changedSinceTrusted(path, user).length > 0) return 'unknown';
  if (known && (known.wasEmpty !== true || isEmptyHome(path, { but: 'data' }))) return 'known';
  return isEmptyHome(path) ? 'empty' : 'unknown';
}

/** Whether it contains nothing that Pegboard would read; also true for a folder that doesn't exist. */
export const isEmptyHome = (home: string, { but }: { readonly but?: string } = {}): boolean =>
  !partsOfHome.some((part) => part !== but && isThere(join(home, part)));

/** Throws PEG_UNKNOWN_HOME. An empty folder becomes known: what is added to it later is its user's own. */
export async function requireKnown(home: string, user: User): Promise<void> {
  const trust = homeTrust(home, user);
  if (trust === 'unknown') throw unknownHome(home, user);
  // Where that can't be stored, as on a read-only disk, the user is asked once there is something in it.
  if (trust === 'empty') await rememberHome(home, user).catch(() => {});
}

/** The variables that also trust this home, for a run and the programs that it starts. */
export const trusting = (home: string, env: User['env']): User['env'] => ({
  ...env,
  [trustVariable]: [env[trustVariable], realPathOf(home)].filter(Boolean).join(delimiter),
});

const isTrustedByEnvironment = (path: string, { env }: User): boolean =>
  (env[trustVariable] ?? '')
    .split(delimiter)
    .some((given) => isAbsolute(given) && realPathOf(given) === path);

/** True also for a broken link. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A path that can't be checked may exist.
    return true;
  }
}

/** How the MCP servers of an unknown home are listed. */
export const notStarted = ({ servers }: HostConfig): readonly Diagnostic[] =>
  [...servers]
    .filter(([, { config }]) => config.enabled !== false)
    .map(([name, { config, origin }]) => ({
      severity: 'warning',
      code: 'unknown-home',
      message: `MCP server "${name}" is not started, because this home is unknown: ${config.url ?? [config.command, ...(config.args ?? [])].join(' ')}`,
      path: origin,
      hint: `${pegboard} trust`,
    }));

/** Why nothing in an unknown home runs: it is new, or what configures it has changed. */
function whyUnknown(home: string, user: User): string {
  const changed = changedSinceTrusted(home, user);
  return changed.length === 0
    ? `The home ${home} is unknown: you have not trusted it yet, so nothing in it runs.`
    : `${changed.join(' and ')} of the home ${home} changed since you trusted it, so nothing in it runs.`;
}

export const unknownHome = (home: string, user: User): PegboardError =>
  new PegboardError(
    'PEG_UNKNOWN_HOME',
    `${whyUnknown(home, user)} \`${pegboard} trust ${home}\` shows what would run, and asks. Where nobody can answer, as in a container, use --trust-home or set ${trustVariable}.`,
  );

/** What a running host says when others change the files that configure it. */
export const changedHome = (home: string, user: User): Diagnostic => ({
  severity: 'error',
  code: 'changed-home',
  message: `${changedSinceTrusted(home, user).join(' and ')} changed since you trusted this home, and is not used before you trust it again`,
  path: home,
  hint: `${pegboard} trust ${home}`,
});
