import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  packageEntry,
  environment,
  follow,
  placeOf,
  runsInside,
  type CliOptions,
  type RunningCli,
} from './cli.ts';
import { startInside } from './cli/inside.ts';
import { createHastyClock } from './moved-clock.ts';
import { idleMs } from '../../host/cli/terminal/keyboard.ts';
import { watchScreen, type RunningOnTerminal } from './cli/screen.ts';

export type { RunningOnTerminal } from './cli/screen.ts';

export const keys = {
  enter: '\r',
  down: '\x1b[B',
  up: '\x1b[A',
  tab: '\t',
  escape: '\x1b',
  ctrlC: '\x03',
  ctrlD: '\x04',
  /** Ctrl-U */
  clearLine: '\x15',
} as const;

/**
 * `pegboard` on a terminal: one in memory, or apart that of util-linux's `script`. Write keys to `child.stdin`. The home has
 * declined to be set up unless `isFirst` is true. In memory, questions don't wait until no key was pressed for a while.
 */
export function startOnTerminal(
  args: readonly string[],
  {
    isFirst = false,
    columns = 240,
    stderr,
    ...options
  }: CliOptions & {
    readonly isFirst?: boolean;
    /** By default so many that no sentence with a path of a temporary folder is wrapped. */
    readonly columns?: number;
    /** The file that gets stderr instead of the terminal. */
    readonly stderr?: string;
  } = {},
): RunningOnTerminal {
  if (!isFirst && options.home !== undefined && existsSync(options.home)) declineSetup(options.home);
  const { home, cwd = placeOf(home) ?? process.cwd(), env, node = process.execPath } = options;
  const { clock = createHastyClock(idleMs) } = options;
  const all = home === undefined ? args : ['--home', home, ...args];
  const size = { columns, rows: 30 };
  const variables = { ...environment(env), TERM: 'xterm-256color' };
  if (runsInside(options)) {
    const place = { cwd, env: variables, terminal: size, stderr: stderr && resolve(cwd, stderr), clock };
    return watchScreen(follow(startInside(all, place), 'SIGTERM'), size);
  }
  const { entry = packageEntry() } = options;
  const command = [node, entry, ...all].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const redirected = stderr === undefined ? '' : ` 2>'${stderr}'`;
  const line = `stty cols ${columns} rows ${size.rows}; exec ${command}${redirected}`;
  const child = spawn('script', ['-qefc', line, '/dev/null'], { cwd, env: variables });
  return watchScreen(follow(child), size);
}

/** Resolves when the last thing on the terminal is the prompt, with nothing typed. */
export async function atPrompt(session: RunningCli): Promise<void> {
  await session.waitFor(/pegboard › \s*$/);
}

function declineSetup(home: string): void {
  const path = join(home, 'data/state.json');
  if (existsSync(path)) return;
  mkdirSync(join(home, 'data'), { recursive: true, mode: 0o700 });
  writeFileSync(path, JSON.stringify({ reloads: {}, declined: ['setup'] }), { mode: 0o600 });
}
