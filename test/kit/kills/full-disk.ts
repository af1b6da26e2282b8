/**
 * Runs in a mount namespace of its own. Mounts a small disk for a home, works on it until it is full, again while it is
 * full, then with more space. Arguments: the bundled work program, the home's folder. Prints the results as JSON.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { checkHome } from './check.ts';
import type { Done } from './done.ts';

/** The results for a home on a full disk. */
export interface FullDisk {
  /** Number of acknowledged actions, before the disk was full and after there was space again. */
  readonly acknowledged: readonly [full: number, roomy: number];
  /** Why the processes gave up while the disk was full, a line each. */
  readonly failures: readonly string[];
  readonly violations: readonly string[];
}

const [program, home] = process.argv.slice(2) as [string, string];
const began = String(Date.now());
const mount = (options: string): void =>
  void execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'none', home]);

/** Its reports until it ended, at most after this number of milliseconds. */
function live(life: number, timeout: number): Done[] {
  const { stdout } = spawnSync(process.execPath, [program, home, began, String(life)], {
    encoding: 'utf8',
    timeout,
    killSignal: 'SIGKILL',
    maxBuffer: 1e8,
  });
  const whole = stdout.slice(0, stdout.lastIndexOf('\n'));
  return whole
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Done);
}

const isDone = (one: Done): boolean => one.error === undefined;
mount('size=4m');
const early = [1, 2, 3].flatMap((life) => live(life, 20_000));
mount('remount,size=64m');
const violations = [...checkHome(home, early.filter(isDone)).violations];
let late: Done[] = [];
// On a busy machine it takes longer to start.
for (let timeout = 1_500; late.length === 0 && timeout < 60_000; timeout *= 2) late = live(4, timeout);
violations.push(...checkHome(home, [...early.filter(isDone), ...late]).violations);
const report: FullDisk = {
  acknowledged: [early.filter(isDone).length, late.length],
  failures: early.flatMap(({ error }) => error?.split('\n')[0] ?? []),
  violations,
};
process.stdout.write(JSON.stringify(report));
