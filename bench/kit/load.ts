import type { Client } from '@modelcontextprotocol/client';
import { callEcho } from './client.ts';
import { cpuTime } from './process.ts';
import { quantile } from './statistics.ts';

export interface LoadFigures {
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly callsPerSecond: number;
  /** Milliseconds of processor time that the process `pid` used per call. */
  readonly cpuPerCall: number;
}

/** Concurrent callers; each calls again as soon as it has its answer. */
export async function load(
  client: Client,
  { name, pid, callers, calls }: { name: string; pid: number; callers: number; calls: number },
): Promise<LoadFigures> {
  const latencies: number[] = [];
  let started = 0;
  const caller = async (): Promise<void> => {
    while (started < calls) {
      const text = `call ${started++}`;
      const start = performance.now();
      await callEcho(client, name, text);
      latencies.push(performance.now() - start);
    }
  };
  const cpu = cpuTime(pid);
  const start = performance.now();
  await Promise.all(Array.from({ length: callers }, caller));
  const elapsed = performance.now() - start;
  return {
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    callsPerSecond: (calls * 1000) / elapsed,
    cpuPerCall: (cpuTime(pid) - cpu) / calls,
  };
}
