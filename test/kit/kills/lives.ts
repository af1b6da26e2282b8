import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { rolldown } from 'rolldown';
import { allEntries } from '../../../tools/public-entries.ts';
import { randomFrom } from '../data/random.ts';
import { checkHome } from './check.ts';
import type { Done } from './done.ts';

/** The results of many kills. */
export interface Tally {
  kills: number;
  /** Number of acknowledged actions. */
  acknowledged: number;
  /** Occurrences of schedules that have run. */
  fires: number;
  /** Number of those interrupted by a kill. */
  cutOff: number;
  /** Descriptions of violations, each with its seed. */
  readonly violations: string[];
}

/** When a process is killed. */
export interface Moment {
  /** Higher than that of the kill before; violations name it. */
  readonly seed: number;
  /** So many actions are reported. */
  readonly actions: number;
  /** Milliseconds after that. */
  readonly later: number;
  /** Milliseconds after its start, whatever is reported. */
  readonly early?: number;
}

export function randomMoment(seed: number): Moment {
  const random = randomFrom(seed);
  const isEarly = random() < 0.1;
  const [actions, later] = [1 + Math.floor(random() * 40), random() * 6];
  return { seed, actions, later, ...(isEarly && { early: 40 + random() * 160 }) };
}

const repository = join(import.meta.dirname, '../../..');
/** Number of homes in parallel, and of kills of each before it is replaced by a new one. */
const sideBySide = 2;
const livesOfAHome = 8;

/** Runs processes that work on homes, and kills one at each moment; the home is checked after each kill. */
export async function killRepeatedly(moments: Iterable<Moment>): Promise<Tally> {
  const tally: Tally = { kills: 0, acknowledged: 0, fires: 0, cutOff: 0, violations: [] };
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-kills-'));
  const program = await bundleWork(folder);
  const next = Iterator.from(moments);
  const worker = async (): Promise<void> => {
    while (await workOnAHome(next, program, tally));
  };
  await Promise.all(Array.from({ length: sideBySide }, worker));
  rmSync(folder, { recursive: true, force: true });
  return tally;
}

/** Bundled into one file it starts in a third of the time, which matters when it is started hundreds of times. */
export async function bundleWork(dir: string): Promise<string> {
  await using bundle = await rolldown({
    cwd: repository,
    platform: 'node',
    resolve: { alias: allEntries(repository) },
    input: { work: join(import.meta.dirname, 'work.ts') },
  });
  await bundle.write({ dir, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' });
  return join(dir, 'work.mjs');
}

/** False: there are no moments left. */
async function workOnAHome(moments: Iterator<Moment>, program: string, tally: Tally): Promise<boolean> {
  const home = mkdtempSync(join(tmpdir(), 'pegboard-kills-'));
  const began = String(Date.now());
  const done: Done[] = [];
  let [fires, cutOff] = [0, 0];
  try {
    for (let life = 0; life < livesOfAHome; life++) {
      const { value: moment, done: over } = moments.next();
      if (over) return false;
      const reports = await killed([program, home, began, String(moment.seed)], moment);
      done.push(...reports);
      const found = checkHome(home, done);
      tally.kills++;
      tally.acknowledged += reports.length;
      tally.fires += found.fires - fires;
      tally.cutOff += found.cutOff - cutOff;
      ({ fires, cutOff } = found);
      if (found.violations.length === 0) continue;
      tally.violations.push(
        ...found.violations.map((what) => `seed ${moment.seed}, kill ${life + 1} of ${home}: ${what}`),
      );
      return true;
    }
    return true;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Its reports before it was killed. */
async function killed(args: readonly string[], { actions, later, early }: Moment): Promise<Done[]> {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(args[0]!, '../compiled') };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const exited = once(child, 'exit');
  const kill = (): void => void child.kill('SIGKILL');
  const timer = early === undefined ? undefined : setTimeout(kill, early);
  const done: Done[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    done.push(JSON.parse(line) as Done);
    if (done.length === actions) void delay(later).then(kill);
  }
  await exited;
  clearTimeout(timer);
  return done;
}
