import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { auditFileOf } from '../../../host/store/audit.ts';
import { databaseFileOf } from '../../../host/store/database/file.ts';
import { packageEntry } from '../../kit/installation.ts';
import { commandLine, descendants, startProcess } from '../../kit/process.ts';
import { leftBehind } from '../left-behind.ts';
import { openBusyHome, servers } from './home.ts';
import {
  checkVersions,
  countFires,
  crash,
  paceOf,
  reload,
  talk,
  type Counts,
  type Progress,
} from './loads.ts';
import { startBusyModel } from './model.ts';
import { longestStalls, startBareProcess, type Stalls } from './stalls.ts';
import { keepLooking, look, type Sample } from './watch.ts';

/** Measurements of a busy host. */
export interface Measurements {
  readonly minutes: number;
  readonly progress: Progress;
  readonly samples: readonly Sample[];
  /** State after all work and the time to clean up. */
  readonly end: Sample;
  readonly stalls: Stalls;
  /** Calls that were not run because nobody could be asked: none of them should need confirmation. */
  readonly refused: number;
  /** Command lines of unexpected processes at the end, and of those that survived the host. */
  readonly unexpected: readonly string[];
  readonly left: readonly string[];
}

/** Milliseconds to wait for kept connections to close and servers to reconnect after the work. */
const clearingUp = 15_000;

/** Runs every kind of work on one host, as often as given. */
export async function runAllWork(counts: Counts): Promise<Measurements> {
  await using model = await startBusyModel();
  using home = openBusyHome(model);
  for (let number = 0; number < 4; number++) addSchedule(home.folder, number);
  await using host = startProcess([packageEntry(), 'start', '--http', '0', '--home', home.folder]);
  const [url] = await host.printed(/http:\/\/[^\s/]+\/mcp/);
  const progress: Progress = { turns: 0, reloads: 0, fires: 0, crashes: 0 };
  const pace = paceOf(progress, counts.turns);
  const database = databaseFileOf(home.folder);
  const files = { host: home.path('stalls'), bare: home.path('bare-stalls') };
  const working = new AbortController();
  const done = (): number => progress.turns / counts.turns;
  const looking = keepLooking(host.pid, database, { signal: working.signal, done });
  const began = performance.now();
  {
    await using _bare = startBareProcess(files.bare);
    await Promise.all([
      talk({ url }, counts.turns, progress),
      reload(home, counts.reloads, pace),
      crash(host.pid, counts.crashes, pace),
      countFires(home, counts.fires, progress),
    ]);
    await checkVersions({ url }, counts.reloads);
  }
  const minutes = (performance.now() - began) / 60_000;
  working.abort();
  await sleep(clearingUp);
  const running = (await lasting(host.pid)).map(commandLine);
  const isServer = (line: string): boolean => servers.some((name) => line.endsWith(`echo-server.ts ${name}`));
  const seen = {
    minutes,
    progress,
    samples: await looking,
    end: look(host.pid, database, 1),
    stalls: longestStalls(files.host, files.bare),
    refused: readFileSync(auditFileOf(home.folder), 'utf8').split('"verdict":"refused"').length - 1,
    unexpected: [
      ...running.filter((line) => !isServer(line)),
      ...running.filter(isServer).slice(servers.length),
    ],
  };
  await host[Symbol.asyncDispose]();
  return { ...seen, left: await leftBehind(home.folder, () => false) };
}

/** Processes that run for longer than a schedule's tool: schedules continue every second. */
async function lasting(host: number): Promise<number[]> {
  const before = new Set(descendants(host));
  await sleep(5000);
  return descendants(host).filter((pid) => before.has(pid));
}

/** Once a second. */
function addSchedule(home: string, number: number): void {
  const add = ['schedule', 'add', '* * * * * *', `work ${number}`, '--catch-up', 'all'];
  execFileSync(process.execPath, [packageEntry(), '--home', home, ...add]);
}
