import { existsSync, rmSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '../../config.ts';
import { configFile, localConfigFile } from '../../core/files/config-files.ts';
import { realPathOf } from '../../core/files/paths.ts';
import { writeFileAtomically } from '../../core/files/write-file-atomically.ts';
import { PegboardError, messageOf } from '../../core/errors.ts';
import { resolverOf } from '../home-secrets.ts';
import type { Host } from '../../host.ts';
import { databaseFileOf } from '../../store/database/file.ts';
import type { Database } from '../../store/database/database.ts';
import { lockHome } from '../../store/files/home-lock.ts';
import type { Copied } from '../../store/move/copy-tables.ts';
import { incomingFiles } from '../../store/move/home-files.ts';
import { removeConfigValue, writeConfigValue } from '../../write-config.ts';
import { homeDatabase, writtenState } from '../home-database.ts';
import type { Address } from './address.ts';
import {
  migrate,
  openSide,
  ownSecrets,
  refuseLostJobs,
  refuseUnreadableSecrets,
  rulesOf,
  type MovedHome,
} from './contents.ts';
import { fillTarget, reopenTarget } from './fill-target.ts';
import { refuseUsedDatabase, refuseUsedDatabases } from './in-use.ts';
import { isFromFile, putOldAside, withSwitchNoted, type Switch } from './put-aside.ts';
import { asSentence } from '../../core/text/as-sentence.ts';

export interface RunOptions {
  readonly moved: MovedHome;
  readonly host: Host;
  /** `state` of the configuration, with its password. */
  readonly source: string | undefined;
  readonly address: Address;
  readonly signal: AbortSignal;
  readonly say: (step: string) => void;
  /** Closes the host. */
  readonly close: () => Promise<void>;
}

export interface Moved {
  readonly tables: readonly Copied[];
  /** The target had all of it already, as after an interrupted move. */
  readonly wasThere: boolean;
  /** Where the state is still kept as it was: the path of a file, or the name of a database. */
  readonly old: string;
}

/** Anything thrown has changed nothing that is in service. */
export async function runMove(options: RunOptions): Promise<Moved> {
  const { moved: movedHome, host, source: state, address, close } = options;
  const { home } = movedHome;
  using _lock = await lockHome(join(home, 'data/host.lock'), { kind: 'a move' });
  let moved: Omit<Moved, 'old'> & { readonly done: Switch };
  {
    await using source = homeDatabase(home, state);
    await using target = homeDatabase(home, address.url);
    await refuseUsedDatabases(home, { source, target }, host);
    await using secret = await storePassword(host, address);
    await migrate(source, host);
    moved = await copyAndSwitch(source, target, options);
    secret.keep();
  }
  // An open file can't be renamed everywhere.
  await close();
  const { tables, wasThere, done } = moved;
  return { tables, wasThere, old: await putOldAside(movedHome, done) };
}

/** What is left of a move whose new state is in service already. */
export async function finishMove(done: Switch, moved: MovedHome): Promise<Moved> {
  const { home } = moved;
  using _lock = await lockHome(join(home, 'data/host.lock'), { kind: 'a move' });
  if (isFromFile(done)) await refuseUsedDatabase(home, homeDatabase(home, undefined));
  refuseUnreadableSecrets(moved);
  return { tables: [], wasThere: true, old: await putOldAside(moved, done) };
}

/** Disposing takes it back, unless it is kept. */
async function storePassword(
  { secrets }: Host,
  { newSecret }: Address,
): Promise<AsyncDisposable & { readonly keep: () => void }> {
  let isKept = newSecret === undefined;
  if (newSecret) await secrets.set(newSecret.name, newSecret.value, 'owner');
  return {
    keep: () => void (isKept = true),
    async [Symbol.asyncDispose]() {
      if (!isKept) await secrets.delete(newSecret!.name);
    },
  };
}

async function copyAndSwitch(
  source: Database,
  target: Database,
  options: RunOptions,
): Promise<Omit<Moved, 'old'> & { readonly done: Switch }> {
  const { moved, host, source: state, address, signal, say } = options;
  const path = databaseFileOf(moved.home);
  const rules = rulesOf(host.plugins.instances);
  await using from = await openSide('source', state, moved);
  await from.lock();
  await refuseLostJobs(source, from, rules);
  const makesFile = address.url === undefined && !existsSync(path);
  try {
    await using reopened = await reopenTarget(target, source.name);
    await using filled = await fillTarget({ ...options, from, target, rules });
    say('Building the full-text indexes');
    await buildIndexes(source, target, host);
    await using to = await openSide('target', address.url, moved);
    await to.flush();
    signal.throwIfAborted();
    say('Switching over');
    const incoming = address.url === undefined ? incomingFiles(moved, moved.passphrase) : undefined;
    await incoming?.putInPlace(ownSecrets(moved));
    const names = { from: source.name, to: target.name, state: writtenState(moved.home) };
    const done = await withSwitchNoted(moved.home, names, () => switchOver(moved, address));
    filled.keep();
    reopened.keep();
    return { tables: filled.tables, wasThere: filled.wasThere, done };
  } catch (cause) {
    await target[Symbol.asyncDispose]();
    if (makesFile) for (const part of ['', '-wal', '-shm']) rmSync(path + part, { force: true });
    throw cause;
  }
}

async function buildIndexes(source: Database, target: Database, { plugins }: Host): Promise<void> {
  const databases = { from: await source.open(), to: await target.open() };
  for (const { manifest, moving } of plugins.instances) {
    try {
      await moving.buildIndexes?.(databases);
    } catch (cause) {
      throw new PegboardError(
        'PEG_DATABASE',
        `The plugin ${manifest.id} could not build its indexes in ${target.name}: ${asSentence(messageOf(cause))} Nothing was changed.`,
        { cause },
      );
    }
  }
}

/** Throws PEG_CONFIG where the configuration would still name another database; then its files are as they were. */
async function switchOver({ home, user }: MovedHome, { url, written }: Address): Promise<void> {
  const before = await Promise.all(
    [configFile, localConfigFile].map(async (file) => {
      const path = realPathOf(join(home, file));
      if (!existsSync(path)) return { path };
      return { path, text: await readFile(path, 'utf8'), mode: (await stat(path)).mode & 0o777 };
    }),
  );
  try {
    if (written === undefined) await removeConfigValue(home, user, ['state']);
    else await writeConfigValue(home, user, ['state'], written);
    const { config } = await loadConfig(home, { ...user, resolve: resolverOf(home, user) });
    if (config.state !== url)
      throw new PegboardError(
        'PEG_CONFIG',
        `\`state\` in ${configFile} can't be changed, because something else there hides it. Nothing was changed.`,
      );
  } catch (cause) {
    for (const { path, text, mode } of before) {
      if (text !== undefined) await writeFileAtomically(path, text, mode);
      else await rm(path, { force: true });
    }
    throw cause;
  }
}
