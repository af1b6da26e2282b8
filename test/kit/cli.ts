import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Clock } from '../../host/api/surroundings.ts';
import { isFolder } from '../../host/core/files/paths.ts';
import { follow, type CliResult, type RunningCli } from './cli/follow.ts';
import { startInside } from './cli/inside.ts';
import { madeOnceSync } from './made-once.ts';

export { follow, type CliResult, type RunningCli } from './cli/follow.ts';

/** How to start a child process without root's right to write everywhere. */
export interface Reader {
  /** Arguments before the program. */
  readonly prefix: readonly string[];
  readonly ids: { readonly uid?: number; readonly gid?: number };
  /** Why this is impossible on this machine: the reason for skipping a test. */
  readonly impossible?: string;
}

/** In the clone. */
export const cloneEntry = join(import.meta.dirname, '../../bin/pegboard.cjs');
/**
 * The entry point that users start, in the package, which is built once for a run: before it, or by its first test that
 * needs it where only some files run. PEGBOARD_TEST_ENTRY names that of an existing build.
 */
export const packageEntry = (): string =>
  process.env['PEGBOARD_TEST_ENTRY'] ?? join(madeOnceSync('pegboard', build), 'bin/pegboard.cjs');

const build = (folder: string): void =>
  void execFileSync(process.execPath, [join(import.meta.dirname, '../../tools/build.ts'), folder], {
    stdio: 'ignore',
  });

export interface CliOptions {
  /** Passed as --home. */
  readonly home?: string;
  /** Default: the home, if there is one. */
  readonly cwd?: string;
  /** Input on stdin, which is then closed. */
  readonly input?: string;
  /** In addition to this process's environment. undefined removes a variable. */
  readonly env?: { readonly [name: string]: string | undefined };
  /** Runs the process without root's right to write everywhere. */
  readonly reader?: Reader;
  /** The entry point, instead of `packageEntry()`. */
  readonly entry?: string;
  /** The Node to use, instead of the one that runs the tests. */
  readonly node?: string;
  /** As a process of its own, for what only a process does: being killed, leaving processes behind, having descriptors. */
  readonly apart?: boolean;
  /** Of a command in the process of the test. */
  readonly clock?: Clock;
}

/** By default a command runs in the process of the test. `PEGBOARD_TEST_CLI=apart` runs each as a process of its own. */
export const runsInside = ({
  reader,
  entry,
  node,
  env,
  apart = process.env['PEGBOARD_TEST_CLI'] === 'apart',
}: CliOptions): boolean =>
  !apart &&
  reader === undefined &&
  entry === undefined &&
  node === undefined &&
  env?.['NODE_OPTIONS'] === undefined;

/** Runs `pegboard` to its end. */
export async function pegboard(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  await using running = startPegboard(args, options);
  running.child.stdin.end(options.input ?? '');
  return await running.ended;
}

/** The JSON document that `pegboard … --json` prints. Throws when stdout contains anything else. */
export async function pegboardJson<T>(args: readonly string[], options: CliOptions = {}): Promise<T> {
  const { stdout, stderr } = await pegboard([...args, '--json'], options);
  try {
    return JSON.parse(stdout) as T;
  } catch {
    throw new Error(`no JSON on stdout: ${stdout}\nstderr: ${stderr}`);
  }
}

/** Ended when disposed, if it is still running. */
export function startPegboard(args: readonly string[], options: CliOptions = {}): RunningCli {
  const { home, cwd = placeOf(home), env, reader, clock, node = process.execPath } = options;
  const all = home === undefined ? args : ['--home', home, ...args];
  if (runsInside(options))
    return follow(startInside(all, { cwd: cwd ?? process.cwd(), env: environment(env), clock }), 'SIGTERM');
  const { entry = packageEntry() } = options;
  const [program = node, ...words] = [...(reader?.prefix ?? []), node, entry, ...all];
  const child = spawn(program, words, { cwd, env: environment(env), ...reader?.ids });
  return follow(child);
}

/** Elsewhere than in the clone, which would be the project of every agent. */
export const placeOf = (home: string | undefined): string | undefined =>
  home !== undefined && isFolder(home) ? home : undefined;

/** The environment without variables that would make a test depend on its user. */
export function environment(changes: CliOptions['env'] = {}): NodeJS.ProcessEnv {
  // Node disables colours and cursor keys when CI is set.
  const { PEGBOARD_HOME: _home, FORCE_COLOR: _force, NO_COLOR: _no, CI: _ci, ...inherited } = process.env;
  return { ...inherited, ...changes };
}
