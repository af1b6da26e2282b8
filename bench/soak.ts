/**
 * `node bench/soak.ts [MINUTES] [SHARE]` (10, 1). For MINUTES, Pegboard serves while its manifests change, its upstreams
 * are killed and its clients disconnect during calls. Then processes that work on homes are killed until schedules have
 * run a thousand times, hosts that do everything at once are killed two hundred times, one is killed thirty times during
 * 500 turns, and two that share a bot and a Postgres twenty times during 160. Hosts that share queues are killed, frozen
 * and cut off, and their database crashes. The page's tests are run in both browsers, with more races and kills, and a
 * thousand scripts, with a hundred kills of their hosts; and the largest public OpenAPI documents become tools. 0 skips
 * all of that.
 * Finally, one host is monitored from outside during 10,000 turns, 1,000 reloads, 1,000 runs of schedules and 100
 * crashes of MCP servers, or a SHARE of that: `npm run soak -- 0 0.1`. The exit code is 1 after a failure or a missed
 * limit.
 */
import { endure } from './soak/endurance.ts';
import { disturbEngine } from './soak/engine.ts';
import { soakImports } from './soak/imports.ts';
import { soakPage } from './soak/page.ts';
import type { SoakTally } from './soak/run.ts';
import { killSchedules } from './soak/schedules.ts';
import { soakScripts } from './soak/scripts.ts';
import { soakServing } from './soak/serving.ts';
import { killSharedTurns, killTurns } from './soak/turns.ts';
import { killHosts } from './soak/whole-hosts.ts';

const [minutes, share] = [process.argv[2] ?? '10', process.argv[3] ?? '1'].map(Number) as [number, number];
if (!(minutes >= 0 && share >= 0)) {
  console.error('usage: node bench/soak.ts [MINUTES] [SHARE]');
  process.exit(2);
}

const tally: SoakTally = { counts: new Map(), failures: [] };
if (minutes > 0) {
  await soakServing(tally, minutes);
  await killSchedules(tally);
  await killHosts(tally);
  await killTurns(tally);
  await killSharedTurns(tally);
  await disturbEngine(tally);
  await soakPage(tally);
  await soakScripts(tally);
  await soakImports(tally);
}
if (share > 0) await endure(tally, share);

for (const [what, times] of tally.counts) console.log(`${String(times).padStart(8)} ${what}`);
for (const problem of tally.failures.slice(0, 20)) console.error(problem);
console.log(tally.failures.length === 0 ? 'no failures' : `${tally.failures.length} failures`);
process.exitCode = tally.failures.length === 0 ? 0 : 1;
