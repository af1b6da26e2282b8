import { lstatSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Diagnostic } from './api/diagnostic.ts';
import type { HostConfig } from './config.ts';
import { PegboardError } from './core/errors.ts';
import { packageRoot, realPathOf } from './core/files/paths.ts';
import { configFile } from './home.ts';
import { knownHome, rememberHome } from './store/owner/known-homes.ts';

/** Homes that are known without being asked about, in the process's own environment: for containers and CI. */
export const trustVariable = 'PEGBOARD_TRUST_HOME';

/**
 * May what a home brings along be run? `known`: its user said so. `empty`: there is nothing in it that could. `unknown`:
 * this user has not met it; it is read, and nothing of it is started.
 */
export type HomeStanding = 'known' | 'empty' | 'unknown';

/** All that Pegboard reads of a home. */
const partsOfHome = [configFile, '.mcp.json', '.env', 'spaces', 'plugins', 'data', 'node_modules'];

/** By its real path, and by that alone: a copy, a home within a known one and one behind a link are homes of their own. */
export function standingOf(home: string): HomeStanding {
  const path = realPathOf(home);
  if (path === realPathOf(packageRoot) || isTrustedByEnvironment(path)) return 'known';
  const known = knownHome(path);
  if (known && (known.wasEmpty !== true || holdsNothing(path, { but: 'data' }))) return 'known';
  return holdsNothing(path) ? 'empty' : 'unknown';
}

/** Nothing that Pegboard would read: also a folder that isn't there. */
export const holdsNothing = (home: string, { but }: { readonly but?: string } = {}): boolean =>
  !partsOfHome.some((part) => part !== but && isThere(join(home, part)));

/** Throws PEG_UNKNOWN_HOME. What becomes of an empty folder from now on is its user's own doing. */
export async function requireKnown(home: string): Promise<void> {
  const standing = standingOf(home);
  if (standing === 'unknown') throw unknownHome(home);
  // Where nothing can be remembered, as on a read-only disk, it is asked about once there is something in it.
  if (standing === 'empty') await rememberHome(home).catch(() => {});
}

/** For this process and those that it starts. */
export function trustInEnvironment(home: string): void {
  process.env[trustVariable] = [process.env[trustVariable], realPathOf(home)].filter(Boolean).join(delimiter);
}

const isTrustedByEnvironment = (path: string): boolean =>
  (process.env[trustVariable] ?? '')
    .split(delimiter)
    .some((given) => isAbsolute(given) && realPathOf(given) === path);

/** Also a link that leads nowhere. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // What can't be looked at may be there.
    return true;
  }
}

/** What is listed of the MCP servers of an unknown home. */
export const notStarted = ({ servers }: HostConfig): readonly Diagnostic[] =>
  [...servers]
    .filter(([, { config }]) => config.enabled !== false)
    .map(([name, { config, origin }]) => ({
      severity: 'warning',
      code: 'unknown-home',
      message: `MCP server "${name}" is not started, because this home is unknown: ${config.url ?? [config.command, ...(config.args ?? [])].join(' ')}`,
      path: origin,
      hint: 'pegboard trust',
    }));

export const unknownHome = (home: string): PegboardError =>
  new PegboardError(
    'PEG_UNKNOWN_HOME',
    `The home ${home} is unknown: nobody has said yet that what it brings along may run. \`pegboard trust ${home}\` shows what that is, and asks. Where nobody can be asked, as in a container, --trust-home or ${trustVariable} says so.`,
  );
