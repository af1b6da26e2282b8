/**
 * `node bench/soak.ts [MINUTES] [SHARE]` (10, 1). For MINUTES, Pegboard serves while its manifests change, its upstreams
 * are killed and its clients disconnect during calls. Then hosts that share queues are killed, frozen and cut off, and
 * their database crashes; and all tests run as `PEGBOARD_TESTS=soak`: thousands of kills at random moments, twenty times
 * the random input, all races and screens of the page in both browsers, a thousand scripts, and the largest public
 * OpenAPI documents. 0 skips all of that.
 * Finally, one host is monitored from outside during 10,000 turns, 1,000 reloads, 1,000 runs of schedules and 100
 * crashes of MCP servers, or a SHARE of that: `npm run soak -- 0 0.1`. The exit code is 1 after a failure or a missed
 * limit.
 */
import { endure } from './soak/endurance.ts';
import { disturbEngine } from './soak/engine.ts';
import { runTests } from './soak/run-tests.ts';
import type { SoakTally } from './soak/run.ts';
import { soakServing } from './soak/serving.ts';

const [minutes, share] = [process.argv[2] ?? '10', process.argv[3] ?? '1'].map(Number) as [number, number];
if (!(minutes >= 0 && share >= 0)) {
  console.error('usage: node bench/soak.ts [MINUTES] [SHARE]');
  process.exit(2);
}

const tally: SoakTally = { counts: new Map(), failures: [] };
if (minutes > 0) {
  await soakServing(tally, minutes);
  await disturbEngine(tally);
  await runTests(tally);
}
if (share > 0) await endure(tally, share);

for (const [what, times] of tally.counts) console.log(`${String(times).padStart(8)} ${what}`);
for (const problem of tally.failures.slice(0, 20)) console.error(problem);
console.log(tally.failures.length === 0 ? 'no failures' : `${tally.failures.length} failures`);
process.exitCode = tally.failures.length === 0 ? 0 : 1;
