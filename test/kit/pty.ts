import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliEntry, environment, follow, placeOf, type CliOptions, type RunningCli } from './cli.ts';

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
 * `pegboard` on a terminal, through util-linux's `script`. Write keys to `child.stdin`. The home has declined to be set up
 * unless `isFirst` is true.
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
): RunningCli {
  if (!isFirst && options.home !== undefined && existsSync(options.home)) declineSetup(options.home);
  const { home, cwd = placeOf(home), env, entry = cliEntry, node = process.execPath } = options;
  const all = home === undefined ? args : ['--home', home, ...args];
  const command = [node, entry, ...all].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const redirected = stderr === undefined ? '' : ` 2>'${stderr}'`;
  const line = `stty cols ${columns} rows 30; exec ${command}${redirected}`;
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd,
    env: { ...environment(env), TERM: 'xterm-256color' },
  });
  return follow(child);
}

function declineSetup(home: string): void {
  const path = join(home, 'data/state.json');
  if (existsSync(path)) return;
  mkdirSync(join(home, 'data'), { recursive: true, mode: 0o700 });
  writeFileSync(path, JSON.stringify({ reloads: {}, declined: ['setup'] }), { mode: 0o600 });
}
