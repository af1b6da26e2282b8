import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { rolldown } from 'rolldown';
import { publicEntries } from '../../../tools/public-entries.ts';
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

export interface LivesOptions {
  /** Each is one kill. */
  readonly seeds: Iterable<number>;
  /** Checked before each kill. */
  readonly enough?: (tally: Tally) => boolean;
}

const repository = join(import.meta.dirname, '../../..');
/** Number of homes in parallel, and of kills of each before it is replaced by a new one. */
const sideBySide = 2;
const livesOfAHome = 8;

/**
 * Runs processes that work on homes, and kills each at a moment determined by its seed; the home is checked after each
 * kill.
 */
export async function killRepeatedly({ seeds, enough = () => false }: LivesOptions): Promise<Tally> {
  const tally: Tally = { kills: 0, acknowledged: 0, fires: 0, cutOff: 0, violations: [] };
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-kills-'));
  const program = await bundleWork(folder);
  const next = Iterator.from(seeds);
  const worker = async (): Promise<void> => {
    while (!enough(tally) && (await workOnAHome(next, program, tally)));
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
    resolve: { alias: publicEntries(repository) },
    input: { work: join(import.meta.dirname, 'work.ts') },
  });
  await bundle.write({ dir, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' });
  return join(dir, 'work.mjs');
}

/** False: there are no seeds left. */
async function workOnAHome(seeds: Iterator<number>, program: string, tally: Tally): Promise<boolean> {
  const home = mkdtempSync(join(tmpdir(), 'pegboard-kills-'));
  const began = String(Date.now());
  const done: Done[] = [];
  let [fires, cutOff] = [0, 0];
  try {
    for (let life = 0; life < livesOfAHome; life++) {
      const { value: seed, done: over } = seeds.next();
      if (over) return false;
      const reports = await killed([program, home, began, String(seed)], randomFrom(seed));
      done.push(...reports);
      const found = checkHome(home, done);
      tally.kills++;
      tally.acknowledged += reports.length;
      tally.fires += found.fires - fires;
      tally.cutOff += found.cutOff - cutOff;
      ({ fires, cutOff } = found);
      if (found.violations.length === 0) continue;
      tally.violations.push(
        ...found.violations.map((what) => `seed ${seed}, kill ${life + 1} of ${home}: ${what}`),
      );
      return true;
    }
    return true;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Its reports before it was killed: some milliseconds after a number of actions, sometimes while it starts. */
async function killed(args: readonly string[], random: () => number): Promise<Done[]> {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(args[0]!, '../compiled') };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const exited = once(child, 'exit');
  const kill = (): void => void child.kill('SIGKILL');
  const starting = random() < 0.1;
  const [things, ms] = [1 + Math.floor(random() * 40), random() * 6];
  const early = starting ? setTimeout(kill, 40 + random() * 160) : undefined;
  const done: Done[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    done.push(JSON.parse(line) as Done);
    // The moment of the kill is what is tested: it comes from the seed.
    if (done.length === things) void delay(ms).then(kill);
  }
  await exited;
  clearTimeout(early);
  return done;
}
