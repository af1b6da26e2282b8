import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { setImmediate as signalsArrive } from 'node:timers/promises';
import { parseJson, toJson } from 'pegboard';
import { backUpHome, isWithin, messageOf } from 'pegboard/kit';
import type { CliSurroundings } from 'pegboard/terminal';
import type { FoundUpgrade } from './find-upgrade.ts';
import { git, type Clone } from './git.ts';
import { loadTakeBack, takeBackFile, type Journal } from './take-back.ts';

export interface UpgradeOptions {
  readonly home: string;
  readonly version: string;
  readonly surroundings: CliSurroundings;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

export type UpgradeEnd =
  | { readonly done: true; readonly tools: number; readonly backup: string | undefined }
  | { readonly done: false; readonly why: string; readonly backup: string | undefined }
  /** Neither version is complete. */
  | {
      readonly done: false;
      readonly why: string;
      readonly backup: string | undefined;
      readonly stuck: string;
    };

/** Copies from before upgrades that are kept. */
const maxBackups = 3;
const timeoutsMs = { install: 1_200_000, boot: 180_000 };

/**
 * Brings clone and home to the new version, or leaves both as they were. The journal makes that hold after a kill too:
 * the next start of any command takes the upgrade back (bin/take-back.cjs). All code that this needs is loaded before
 * the files change. The caller holds the lock of the home.
 */
export async function applyUpgrade(found: FoundUpgrade, options: UpgradeOptions): Promise<UpgradeEnd> {
  const { root, from, to } = found;
  const { home, version, surroundings, signal, say } = options;
  const clone: Clone = { root, ...surroundings };
  const { folderOf, startOf, takeBack } = loadTakeBack(root);
  const folder = folderOf(root);
  const start = startOf(process.pid);
  // What does not work now is no fault of the new version.
  const before = bootIfPossible(clone, folder, home);
  const backup = backUp(home, version);
  if (backup !== undefined) say(`The home's data is copied to ${backup}.`);
  let journal: Journal = {
    pid: process.pid,
    ...(start !== undefined && { start }),
    from,
    to,
    home,
    ...(backup !== undefined && { backup }),
    booted: false,
  };
  const note = (changes: Partial<Journal> = {}): void => {
    journal = { ...journal, ...changes };
    const draft = join(folder, 'journal.json.unfinished');
    writeFileSync(draft, toJson(journal), { mode: 0o600 });
    renameSync(draft, join(folder, 'journal.json'));
  };
  const goOn = async (): Promise<void> => {
    await signalsArrive();
    signal.throwIfAborted();
  };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Git ignores it in every version.
  writeFileSync(join(folder, '.gitignore'), '*\n');
  copyFileSync(takeBackFile(root), join(folder, 'take-back.cjs'));
  note();
  try {
    say(`Pulling ${to.slice(0, 9)} …`);
    git(clone, 'merge', '--ff-only', '--quiet', to);
    await goOn();
    if (needsInstall(found, clone)) {
      say('Installing dependencies …');
      install(clone, folder);
      await goOn();
    }
    say('Starting the new version …');
    note({ booted: true });
    const after = boot(clone, folder, home);
    const broken = after.failed?.find(({ id }) => !before?.failed?.some((known) => known.id === id));
    if (broken)
      throw new Error(`the new version starts, but its plugin ${broken.id} does not: ${broken.problem}`);
    await goOn();
    // From here on nothing is taken back.
    rmSync(join(folder, 'journal.json'));
    rmSync(folder, { recursive: true, force: true });
    forgetOldBackups(home);
    return { done: true, tools: after.tools ?? 0, backup };
  } catch (cause) {
    await signalsArrive();
    const why = signal.aborted ? 'it was interrupted' : messageOf(cause);
    try {
      takeBack(root, journal);
      return { done: false, why, backup };
    } catch (stuck) {
      return { done: false, why, backup, stuck: messageOf(stuck) };
    }
  }
}

const prefix = 'before-upgrade-';
const backupsOf = (home: string): string => join(home, 'data/backups');

/** Undefined when the home has no data. */
function backUp(home: string, version: string): string | undefined {
  if (!existsSync(join(home, 'data'))) return undefined;
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  return backUpHome(home, join(backupsOf(home), `${prefix}${stamp}`), version).folder;
}

function forgetOldBackups(home: string): void {
  const folder = backupsOf(home);
  const names = globSync(`${prefix}*`, { cwd: folder }).sort();
  for (const name of names.slice(0, -maxBackups)) rmSync(join(folder, basename(name)), { recursive: true });
}

/** Through a link, npm would empty the folder that the link points to. */
function needsInstall({ from, to }: FoundUpgrade, clone: Clone): boolean {
  const modules = lstatSync(join(clone.root, 'node_modules'), { throwIfNoEntry: false });
  if (modules?.isSymbolicLink() === true) return false;
  return (
    modules === undefined || git(clone, 'diff', '--name-only', from, to, '--', 'package-lock.json') !== ''
  );
}

/** The new version's own set-up installs the same kind: with or without what only tests need. */
function install({ root, env }: Clone, folder: string): void {
  const kind = hasDevDependencies(root) ? [] : ['run'];
  const modules = join(root, 'node_modules');
  if (existsSync(modules)) renameSync(modules, join(folder, 'node_modules'));
  const ended = spawnSync(nodeOf(root, folder), [join(root, 'tools/setup.cjs'), ...kind], {
    cwd: root,
    timeout: timeoutsMs.install,
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (ended.status === 0) return;
  throw new Error(`the dependencies could not be installed: ${ended.error?.message ?? shown(ended.stderr)}`);
}

function hasDevDependencies(root: string): boolean {
  const { devDependencies = {} } = parseJson(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly devDependencies?: object;
  };
  return Object.keys(devDependencies).every((name) => existsSync(join(root, 'node_modules', name)));
}

/** This Node may be a dependency itself, and then lies elsewhere while others are installed. */
function nodeOf(root: string, folder: string): string {
  const modules = join(root, 'node_modules');
  if (existsSync(process.execPath) || !isWithin(modules, process.execPath)) return process.execPath;
  return join(folder, 'node_modules', relative(modules, process.execPath));
}

/** What `boot-check` prints. */
interface Booted {
  readonly tools?: number;
  readonly failed?: readonly { readonly id: string; readonly problem: string }[];
}

/** Migrates the home's data and opens a host on it, in a process of its own. Throws when it does not start. */
function boot({ root, env }: Clone, folder: string, home: string): Booted {
  const entry = join(root, 'bin/pegboard.cjs');
  const ended = spawnSync(nodeOf(root, folder), [entry, 'boot-check', '--home', home, '--json'], {
    cwd: home,
    timeout: timeoutsMs.boot,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, PEGBOARD_UPGRADE: String(process.pid) },
  });
  if (ended.status !== 0)
    throw new Error(`the new version does not start: ${ended.error?.message ?? shown(ended.stderr)}`);
  const answer = /\{.*\}/s.exec(ended.stdout)?.[0] ?? '{}';
  return parseJson(answer) as Booted;
}

/** Undefined for a version that does not start, which an upgrade may mend. */
function bootIfPossible(clone: Clone, folder: string, home: string): Booted | undefined {
  try {
    return boot(clone, folder, home);
  } catch {
    return undefined;
  }
}

const maxShownLength = 1_000;
const shown = (output: string): string => output.trim().slice(-maxShownLength) || 'it printed nothing';
