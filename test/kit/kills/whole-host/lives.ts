import { setTimeout as delay } from 'node:timers/promises';
import { commandLine, descendants } from '../../../../bench/kit/process.ts';
import type { RunningCli } from '../../cli.ts';
import { randomFrom } from '../../data/random.ts';
import { secretValue } from '../done.ts';
import { checkWorld } from './check.ts';
import { changing, countingServer } from './files.ts';
import { openWorld, type World } from './world.ts';

/** The results of many kills of whole hosts. */
export interface WholeTally {
  kills: number;
  asks: number;
  /** Calls whose results a model has read, and commands that reported success. */
  acknowledged: number;
  fires: number;
  /** What was interrupted and reported as such: calls, answers that were being sent, jobs. */
  uncertain: number;
  /** Messages and runs of schedules that nobody went on with. */
  givenUp: number;
  readonly violations: string[];
}

/** Number of homes in parallel, and of kills of each before a final start and a new home. */
const sideBySide = 3;
const livesOfAHome = 12;
const asksOfALife = 4;

/**
 * Runs `pegboard start` with every kind of work, kills it at a moment determined by each seed, and finally checks the
 * home.
 */
export async function killWholeHosts(seeds: Iterable<number>): Promise<WholeTally> {
  const tally: WholeTally = {
    kills: 0,
    asks: 0,
    acknowledged: 0,
    fires: 0,
    uncertain: 0,
    givenUp: 0,
    violations: [],
  };
  const next = Iterator.from(seeds);
  const worker = async (): Promise<void> => {
    for (let some = take(next); some.length > 0; some = take(next)) await livesOf(some, tally);
  };
  await Promise.all(Array.from({ length: sideBySide }, worker));
  return tally;
}

function take(seeds: Iterator<number>): number[] {
  const taken: number[] = [];
  while (taken.length < livesOfAHome) {
    const { value, done } = seeds.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

async function livesOf(seeds: readonly number[], tally: WholeTally): Promise<void> {
  await using world = await openWorld();
  const where = `seeds ${seeds.join()}`;
  try {
    const crons = await makeSchedules(world);
    for (const seed of seeds) {
      await killRepeatedly(world, seed);
      tally.kills++;
    }
    const last = await lastLife(world, crons);
    const found = await checkWorld(world);
    tally.asks += world.asks.length;
    tally.acknowledged += world.delivered.length + world.done.length;
    tally.fires += found.fires;
    tally.uncertain += found.uncertain;
    tally.givenUp += found.givenUp;
    tally.violations.push(...[...last, ...found.violations].map((what) => `${where}: ${what}`));
  } catch (cause) {
    tally.violations.push(`${where}: ${cause instanceof Error ? cause.stack : String(cause)}`);
  }
}

/** Schedules with each of the policies, every second, every other and every third one. */
async function makeSchedules(world: World): Promise<number[]> {
  const add = async (...args: readonly string[]): Promise<number> => {
    const { code, stdout, stderr } = await world.command(['schedule', 'add', ...args, '--json']);
    if (code !== 0) throw new Error(stderr);
    return (JSON.parse(stdout) as { readonly id: number }).id;
  };
  return await Promise.all([
    add('* * * * * *', 'every second', '--catch-up', 'all', '--to', 'telegram/1001'),
    add('*/2 * * * * *', 'every other', '--catch-up', 'run_once', '--to', 'telegram/1002'),
    add('*/3 * * * * *', 'each third', '--catch-up', 'skip', '--message', '--to', 'telegram/1003'),
  ]);
}

async function killRepeatedly(world: World, seed: number): Promise<void> {
  const random = randomFrom(seed);
  const dying = Promise.withResolvers<void>();
  const isEarly = random() < 0.15;
  let [left, ms] = [4 + Math.floor(random() * 45), random() * 15];
  const serverAt = Math.floor(random() * 60);
  for (let ask = 0; ask < asksOfALife; ask++) world.ask();
  const host = world.start();
  world.onEvent = () => {
    if (left === serverAt) killServer(host);
    // The moment of death is what is tested: it comes from the seed.
    if (--left === 0) void delay(ms).then(dying.resolve);
  };
  if (isEarly) void delay(random() * 700).then(dying.resolve);
  const others = isEarly ? [] : [saves(world, random, dying.promise), commands(world, seed, dying.promise)];
  await Promise.race([dying.promise, host.ended]);
  const fell = host.child.exitCode;
  host.child.kill('SIGKILL');
  const { stderr } = await host.ended;
  if (fell !== null) throw new Error(`pegboard start ended by itself with ${fell}: ${stderr}`);
  world.onEvent = () => {};
  await Promise.all(others);
}

function killServer(host: RunningCli): void {
  const server = descendants(host.child.pid!).find((pid) => commandLine(pid).includes(countingServer));
  if (server !== undefined) process.kill(server, 'SIGKILL');
}

/** Saves manifests and plugins until the host dies. */
async function saves(world: World, random: () => number, dying: Promise<void>): Promise<void> {
  const files = Object.keys(changing) as (keyof typeof changing)[];
  for (let dead = false; !dead;) {
    await world.save(files[Math.floor(random() * files.length)]!);
    dead = await Promise.race([dying.then(() => true), delay(50 + random() * 300, false)]);
  }
}

/** Runs commands next to the running host, which are killed with it. */
async function commands(world: World, seed: number, dying: Promise<void>): Promise<void> {
  const reminder = `reminder ${seed}`;
  const work = [
    ['secret', 'set', `KEY_${seed % 3}`],
    ['schedule', 'add', 'in 1 second', reminder, '--message', '--to', 'telegram/1001', '--json'],
    ['plugins', 'reload', 'tally'],
  ][seed % 3]!;
  const running = world.begin(work);
  running.child.stdin.end(secretValue(seed));
  void dying.then(() => running.child.kill('SIGKILL'));
  const { code, stdout, stderr } = await running.ended;
  if (code === null) return;
  if (code !== 0) throw new Error(`pegboard ${work.join(' ')} ended with ${code}: ${stderr}`);
  if (seed % 3 === 0) world.done.push({ secret: work[2]!, version: seed });
  if (seed % 3 === 1)
    world.done.push({ scheduled: (JSON.parse(stdout) as { id: number }).id, text: reminder });
}

/** Runs until nothing is left to do, and stops regularly. Returns what was wrong. */
async function lastLife(world: World, crons: readonly number[]): Promise<string[]> {
  const violations: string[] = [];
  const host = world.start();
  try {
    await Promise.all(crons.map((id) => world.command(['schedule', 'cancel', String(id)])));
    await Promise.race([
      world.telegram.until(() => world.asks.every(world.isSettled)),
      late('some questions are not answered'),
    ]);
    await world.quiet();
    const { stdout } = await world.command(['call', 'tally_version']);
    const version = world.versions.get('plugins/tally/index.ts') ?? 0;
    if (!stdout.includes(`version ${version}`))
      violations.push(`the plugin's version ${version} is not in service`);
  } finally {
    host.child.kill('SIGTERM');
  }
  const { code, stderr } = await host.ended;
  if (code !== 0) violations.push(`the last host ended with ${code}: ${stderr}`);
  return violations;
}

/** Rejects after a minute. */
async function late(what: string): Promise<never> {
  await delay(60_000, undefined, { ref: false });
  throw new Error(what);
}
