import { mkdirSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { PegboardError } from '../../core/errors.ts';
import type { Fetched, FetchPlace } from './fetched.ts';
import { readTar } from './read-tar.ts';
import { runFetcher } from './run-fetcher.ts';
import type { PluginSource } from './source.ts';

type GitSource = Extract<PluginSource, { readonly kind: 'git' }>;

/** Of git's own variables only those with which a user says how to reach and sign in to a server. */
const kept =
  /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|SSL_.*|PROXY_.*|HTTP_.*)$/;

function environmentForGit(env: FetchPlace['env']): Record<string, string> {
  const own = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (!entry[0].startsWith('GIT_') || kept.test(entry[0])),
  );
  // Also where the user's configuration leads elsewhere, and for redirections.
  return {
    ...Object.fromEntries(own),
    GIT_ALLOW_PROTOCOL: 'https:ssh',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

/** What works on fetched files follows no settings: filters and hooks of the user could run programs on them. */
const withoutSettings = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_SYSTEM: devNull, GIT_CONFIG_NOSYSTEM: '1' };

/**
 * Fetches one commit, without history, tags and submodules, and reads its files without checking them out. Throws
 * PEG_COMMAND_FAILED, PEG_DENIED and PEG_LIMIT.
 */
export async function fetchFromGit({ url, ref }: GitSource, place: FetchPlace): Promise<Fetched> {
  const { downloads, env, signal } = place;
  const repository = join(downloads, 'repository.git');
  mkdirSync(repository);
  const environment = environmentForGit(env);
  const run = (argv: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> =>
    runFetcher({
      argv: ['git', `--git-dir=${repository}`, '-c', `core.hooksPath=${devNull}`, ...argv],
      cwd: repository,
      downloads,
      environment: { ...environment, ...more },
      signal,
    }).then((output) => output.trim());
  const read = (...argv: readonly string[]): Promise<string> => run(argv, withoutSettings);

  await read('init', '--quiet', '--bare', '--template=');
  const what = ref === undefined ? url : `${ref} of ${url}`;
  const fetch = ['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--no-auto-gc'];
  await run([...fetch, '--', url, `+${ref ?? 'HEAD'}:refs/plugin`]).catch((cause: unknown) => {
    if (!(cause instanceof PegboardError) || cause.code !== 'PEG_COMMAND_FAILED') throw cause;
    throw new PegboardError('PEG_COMMAND_FAILED', `git can't get ${what}: ${cause.message}`, { cause });
  });
  // "0a1b…⇥⇥tag 'v1' of https://…"
  const isTagged = /^\w+\t[^\t]*\ttag '/.test(readFileSync(join(repository, 'FETCH_HEAD'), 'utf8'));
  const commit = await read('rev-parse', '--verify', 'refs/plugin^{commit}');
  const modules = (await read('ls-tree', '-r', commit))
    .split('\n')
    .filter((line) => line.startsWith('160000 '));
  if (modules.length > 0)
    throw new PegboardError(
      'PEG_DENIED',
      `${what} has submodules, which are not fetched: ${modules.map((line) => line.split('\t')[1]).join(', ')}. A plugin's files are all in its repository.`,
    );
  const archive = join(downloads, 'files.tar');
  await read('archive', '--format=tar', `--output=${archive}`, commit);
  return {
    files: readTar(readFileSync(archive), what),
    resolved: `git:${url}#${commit}`,
    isTagged,
    publisher: await read('log', '-1', '--format=%an <%ae>', commit),
  };
}
