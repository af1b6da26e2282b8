import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson, toJson } from '../../core/documents/written-numbers.ts';
import { PegboardError, messageOf } from '../../core/errors.ts';
import type { Fetched, FetchPlace } from './fetched.ts';
import { textIn } from './package-files.ts';
import { readTgz } from './read-tar.ts';
import { runFetcher } from './run-fetcher.ts';
import type { PluginSource } from './source.ts';
import { asSentence } from '../../core/text/as-sentence.ts';

type NpmSource = Extract<PluginSource, { readonly kind: 'npm' }>;

/**
 * Runs npm with the user's own settings (registry, sign-in, proxies) and none of a project's, which could come with the
 * package. It runs no scripts of packages, and no git. `folder`: what npm takes for the project.
 */
export function runNpm(
  args: readonly string[],
  folder: string,
  { downloads, env, signal }: FetchPlace,
): Promise<string> {
  const fixed = {
    'ignore-scripts': true,
    git: join(downloads, 'no-git'),
    prefix: folder,
    global: false,
    cache: join(downloads, 'npm'),
    'dry-run': false,
    audit: false,
    fund: false,
    'update-notifier': false,
    'logs-max': 0,
    // Milliseconds. By default somebody would wait for more than two minutes before they see that a hash differs.
    'fetch-retry-mintimeout': 1_000,
    'fetch-retry-maxtimeout': 3_000,
    loglevel: 'error',
  };
  return runFetcher({
    argv: ['npm', ...args, ...Object.entries(fixed).map(([name, value]) => `--${name}=${value}`)],
    cwd: folder,
    downloads,
    environment: environmentForNpm(env),
    signal,
  });
}

/** All of the user's environment, since npm's settings may name any of it; without what an npm around this one has set. */
const environmentForNpm = (env: FetchPlace['env']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined &&
        !/^(?:npm_(?:package|lifecycle)_.*|npm_command|INIT_CWD|NODE_OPTIONS)$/.test(entry[0]),
    ),
  );

/** A folder that npm takes for a project with these members in its package.json. */
export function emptyProject(folder: string, members: Readonly<Record<string, unknown>> = {}): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), toJson({ private: true, ...members }));
  return folder;
}

/** Downloads the newest version that the source allows. Throws PEG_COMMAND_FAILED, PEG_DENIED and PEG_LIMIT. */
export async function fetchFromNpm({ name, range }: NpmSource, place: FetchPlace): Promise<Fetched> {
  const project = emptyProject(join(place.downloads, 'project'));
  const wanted = range === undefined ? name : `${name}@${range}`;
  const run = (...args: readonly string[]): Promise<string> =>
    runNpm(args, project, place).catch((cause: unknown) => {
      if (!(cause instanceof PegboardError) || cause.code !== 'PEG_COMMAND_FAILED') throw cause;
      throw new PegboardError('PEG_COMMAND_FAILED', `npm can't get ${wanted}: ${cause.message}`, { cause });
    });
  await run('pack', wanted, `--pack-destination=${project}`);
  const archive = readFileSync(
    join(
      project,
      readdirSync(project).find((file) => file.endsWith('.tgz'))!,
    ),
  );
  const integrity = integrityOf(archive);
  const files = readTgz(archive, wanted);
  const packed = packageJsonIn(textIn(files, 'package.json') ?? '{}', wanted);
  if (packed['name'] !== name || typeof packed['version'] !== 'string')
    throw new PegboardError(
      'PEG_DENIED',
      `The package.json in ${wanted} is that of ${String(packed['name'])}.`,
    );
  const { version } = packed;
  const [listed] = [parseJson(await run('view', `${name}@${version}`, '--json'))].flat() as readonly Listed[];
  if (listed?.dist?.integrity !== undefined && !listed.dist.integrity.split(' ').includes(integrity))
    throw new PegboardError(
      'PEG_DENIED',
      `What npm got of ${name}@${version} is not what its registry lists: ${integrity} instead of ${listed.dist.integrity}.`,
    );
  const { _npmUser: by } = listed ?? {};
  const publisher = typeof by === 'string' ? by : by?.name;
  return {
    files,
    resolved: `npm:${name}@${version}`,
    integrity,
    ...(publisher !== undefined && { publisher }),
    ...(listed?.dist?.attestations !== undefined && { hasProvenance: true }),
  };
}

/** What `npm view` says of one version. */
interface Listed {
  readonly _npmUser?: string | { readonly name?: string };
  readonly dist?: { readonly integrity?: string; readonly attestations?: unknown };
}

export const integrityOf = (archive: Buffer): string =>
  `sha512-${createHash('sha512').update(archive).digest('base64')}`;

/** Throws PEG_DENIED. `from`: for the message. */
export function packageJsonIn(text: string, from: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw new PegboardError(
      'PEG_DENIED',
      `The package.json of ${from} is broken: ${asSentence(messageOf(cause))}`,
    );
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw new PegboardError('PEG_DENIED', `The package.json of ${from} is broken: it is no object.`);
}
