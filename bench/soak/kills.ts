import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine, descendants } from '../kit/process.ts';
import { count, randomInteger, type SoakRun } from './run.ts';

/** A server that dies again within ten seconds counts as broken, and is not restarted for a while. */
const betweenKills = 12_000;

/** Kills one upstream after the other, until time is up. `program` is part of their command lines. */
export async function keepKilling(run: SoakRun, program: string): Promise<void> {
  while (await passes(betweenKills, run.signal)) {
    const upstreams = descendants(run.pegboard.pid).filter((pid) => commandLine(pid).includes(program));
    const pid = upstreams[randomInteger(0, upstreams.length - 1)];
    if (pid === undefined) continue;
    process.kill(pid, 'SIGKILL');
    count(run, 'upstreams killed');
  }
}

/** False when the signal aborts first. */
export async function passes(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return sleep(milliseconds, true, { signal }).catch(() => false);
}
