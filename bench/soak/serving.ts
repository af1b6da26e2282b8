import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openHome } from '../kit/home.ts';
import { serveHttp } from '../kit/installation.ts';
import { keepCalling } from './callers.ts';
import { keepKilling } from './kills.ts';
import { keepDisconnecting, longTool } from './leavers.ts';
import { leftBehind } from './left-behind.ts';
import { createChangingTools } from './manifests.ts';
import { watchMemory } from './memory.ts';
import type { SoakRun, SoakTally } from './run.ts';

const callers = 4;
const maxGrowth = 1.1;
const echo = join(import.meta.dirname, '../echo-server.ts');

/** Runs Pegboard while its manifests change, its upstreams are killed and its clients disconnect during calls. */
export async function soakServing(tally: SoakTally, minutes: number): Promise<void> {
  const servers = { one: { args: [echo] }, two: { args: [echo] }, three: { args: [echo] } };
  using home = openHome({ servers });
  writeFileSync(home.path('spaces/bench/agent/tools/long.md'), longTool);
  const tools = createChangingTools((file) => home.path(file));
  const pegboard = await serveHttp(home.folder);
  const run: SoakRun = { ...tally, home, pegboard, signal: AbortSignal.timeout(minutes * 60_000) };
  const [memory] = await Promise.all([
    watchMemory(run),
    tools.change(run),
    keepKilling(run, echo),
    keepDisconnecting(run),
    ...Array.from({ length: callers }, () => keepCalling(run, tools, Object.keys(servers))),
  ]);
  for (const line of await leftBehind(home.folder, (line) => line.includes(echo)))
    tally.failures.push(`still running after its caller had disconnected: ${line}`);
  await pegboard[Symbol.asyncDispose]();
  for (const line of await leftBehind(home.folder, () => false))
    tally.failures.push(`still running after Pegboard had ended: ${line}`);
  const growth = memory.end / memory.warm;
  if (growth > maxGrowth)
    tally.failures.push(`memory grew by ${((growth - 1) * 100).toFixed(0)} % after the warm-up`);
  console.log(
    `${memory.warm.toFixed(0).padStart(8)} MB after the warm-up, ${memory.end.toFixed(0)} MB at the end`,
  );
}
