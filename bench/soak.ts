/**
 * `node bench/soak.ts [MINUTES]` (5): Pegboard serves while its manifests change, its upstreams are killed and its
 * clients leave in mid-call. Then processes that work on homes are killed until schedules have run a thousand times, and
 * hosts that do everything at once two hundred times. Exits with 1 when an answer was wrong, a process was left behind, memory kept growing, an acknowledged write was lost
 * or a schedule ran twice.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openHome } from './kit/home.ts';
import { serveHttp } from './kit/installation.ts';
import { keepCalling } from './soak/callers.ts';
import { keepKilling } from './soak/kills.ts';
import { keepLeaving, longTool } from './soak/leavers.ts';
import { leftBehind } from './soak/left-behind.ts';
import { createChangingTools } from './soak/manifests.ts';
import { watchMemory } from './soak/memory.ts';
import type { SoakRun } from './soak/run.ts';
import { killSchedules } from './soak/schedules.ts';
import { killHosts } from './soak/whole-hosts.ts';

const callers = 4;
const mostGrowth = 1.1;
const echo = join(import.meta.dirname, 'echo-server.ts');

const minutes = Number(process.argv[2] ?? 5);
if (!(minutes > 0)) {
  console.error('usage: node bench/soak.ts [MINUTES]');
  process.exit(2);
}

const servers = { one: { args: [echo] }, two: { args: [echo] }, three: { args: [echo] } };
using home = openHome({ servers });
writeFileSync(home.path('spaces/bench/agent/tools/long.md'), longTool);
const tools = createChangingTools((file) => home.path(file));
const pegboard = await serveHttp(home.folder);
const signal = AbortSignal.timeout(minutes * 60_000);
const run: SoakRun = { home, pegboard, signal, counts: new Map(), wrong: [] };

const [memory] = await Promise.all([
  watchMemory(run),
  tools.change(run),
  keepKilling(run, echo),
  keepLeaving(run),
  ...Array.from({ length: callers }, () => keepCalling(run, tools, Object.keys(servers))),
]);
const abandoned = await leftBehind(home.folder, (line) => line.includes(echo));
await pegboard[Symbol.asyncDispose]();
const orphans = await leftBehind(home.folder, () => false);

await killSchedules(run);
await killHosts(run);

const growth = memory.end / memory.warm;
const problems = [
  ...run.wrong,
  ...abandoned.map((line) => `still running after its caller had left: ${line}`),
  ...orphans.map((line) => `still running after Pegboard had ended: ${line}`),
  ...(growth > mostGrowth ? [`memory grew by ${((growth - 1) * 100).toFixed(0)} % after the warm-up`] : []),
];
for (const [what, times] of run.counts) console.log(`${String(times).padStart(8)} ${what}`);
console.log(
  `${memory.warm.toFixed(0).padStart(8)} MB after the warm-up, ${memory.end.toFixed(0)} MB at the end`,
);
for (const problem of problems.slice(0, 20)) console.error(problem);
console.log(problems.length === 0 ? 'nothing wrong' : `${problems.length} things wrong`);
process.exitCode = problems.length === 0 ? 0 : 1;
