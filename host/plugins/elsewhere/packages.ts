import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../core/documents/written-numbers.ts';
import { PegboardError } from '../../core/errors.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { shortSize } from '../../core/text/short-size.ts';
import type { FetchPlace } from './fetched.ts';
import { maxPackageBytes, maxPackageFiles } from './limits.ts';
import type { LockedPackage } from './lock.ts';
import { emptyProject, runNpm } from './npm.ts';
import { isPackageName, isVersionRange } from './source.ts';
import { treeOf } from './tree.ts';

/** The packages that a plugin's package.json asks for, as far as npm's registry has them. */
export interface WantedPackages {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** These come with the host that runs the plugin. */
const ofHost = ['pegboard'];

/** Throws PEG_DENIED for packages that are not in a registry: addresses, repositories and folders. */
export function wantedPackages(packageJson: Readonly<Record<string, unknown>>, from: string): WantedPackages {
  const read = (member: string): Readonly<Record<string, string>> => {
    const value = packageJson[member] ?? {};
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new PegboardError('PEG_DENIED', `"${member}" in the package.json of ${from} is no object.`);
    for (const [name, range] of Object.entries(value as Readonly<Record<string, unknown>>)) {
      if (ofHost.includes(name))
        throw new PegboardError(
          'PEG_DENIED',
          `${from} lists ${name} in "${member}". The host that runs a plugin provides it: it belongs in "peerDependencies".`,
        );
      if (!isPackageName(name) || typeof range !== 'string' || !isFromRegistry(range))
        throw new PegboardError(
          'PEG_DENIED',
          `${from} depends on ${shownLine(name)} from ${shownLine(String(range))}. Only packages of npm's registry are installed.`,
        );
    }
    return value as Readonly<Record<string, string>>;
  };
  return { dependencies: read('dependencies'), optionalDependencies: read('optionalDependencies') };
}

/** A range, or "npm:NAME@RANGE". */
function isFromRegistry(range: string): boolean {
  const [, name, aliased] = /^npm:(.[^@]*)(?:@(.*))?$/.exec(range) ?? [];
  return name === undefined ? isVersionRange(range) : isPackageName(name) && isVersionRange(aliased ?? '');
}

export interface InstalledPackages {
  /** Absolute: the node_modules. */
  readonly folder: string;
  /** By place: "node_modules/left-pad". */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/**
 * Installs packages into a new folder, without running any of their scripts. Undefined when there are none. Throws
 * PEG_DENIED when something got there that no hash stands for, PEG_LIMIT and PEG_COMMAND_FAILED.
 */
export async function installPackages(
  wanted: WantedPackages,
  folder: string,
  from: string,
  place: FetchPlace,
): Promise<InstalledPackages | undefined> {
  const names = Object.values(wanted).flatMap((ranges: object) => Object.keys(ranges));
  if (names.length === 0) return undefined;
  emptyProject(folder, { ...wanted });
  const how = ['--omit=dev', '--no-bin-links', '--legacy-peer-deps', '--install-strategy=hoisted'];
  await runNpm(
    ['install', ...how, '--package-lock', '--no-package-lock-only', '--save'],
    folder,
    place,
  ).catch((cause: unknown) => {
    if (!(cause instanceof PegboardError) || cause.code !== 'PEG_COMMAND_FAILED') throw cause;
    throw new PegboardError(
      'PEG_COMMAND_FAILED',
      `npm can't install the packages of ${from}: ${cause.message}`,
      { cause },
    );
  });
  const installed = join(folder, 'node_modules');
  // All of them may be optional, and for other systems.
  if (!existsSync(installed)) return undefined;
  const { names: files, bytes, unusual } = treeOf(installed);
  if (unusual.length > 0)
    throw new PegboardError('PEG_DENIED', `The packages of ${from} have a link: ${shownLine(unusual[0]!)}.`);
  if (files.length > maxPackageFiles || bytes > maxPackageBytes)
    throw new PegboardError(
      'PEG_LIMIT',
      `The packages of ${from} are too large: up to ${maxPackageFiles} files and ${shortSize(maxPackageBytes)} are installed.`,
    );
  return { folder: installed, packages: lockedIn(join(folder, 'package-lock.json'), installed, from) };
}

interface NpmLock {
  readonly packages?: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly resolved?: string;
        readonly integrity?: string;
        readonly inBundle?: boolean;
      }
    >
  >;
}

/** What npm's lock file says of the packages that are there. */
function lockedIn(path: string, installed: string, from: string): Readonly<Record<string, LockedPackage>> {
  const { packages = {} } = parseJson(readFileSync(path, 'utf8')) as NpmLock;
  const locked: { [place: string]: LockedPackage } = {};
  for (const [place, { version = '', resolved, integrity, inBundle }] of Object.entries(packages)) {
    if (place === '' || !existsSync(join(installed, '..', place))) continue;
    if (inBundle === true) continue;
    if (integrity === undefined || (resolved !== undefined && !/^https?:/.test(resolved)))
      throw new PegboardError(
        'PEG_DENIED',
        `${from} needs ${shownLine(place)} from ${shownLine(resolved ?? 'nowhere')}, for which there is no hash. Only packages of npm's registry are installed.`,
      );
    locked[place] = { version, integrity };
  }
  return locked;
}
