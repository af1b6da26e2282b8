import { openScheduleRig } from './kill-rig.ts';

/** Runs schedules until it is killed, mostly in the middle of one. */
const [home, began, until, longestRunMs] = process.argv.slice(2) as [string, string, string, string];
const soak = openScheduleRig(home, Number(began), {
  failed: (text) => process.stderr.write(`${text}\n`),
  longestRunMs: Number(longestRunMs),
  until: Number(until),
});
await soak.store.list('all');
await soak.start();
process.send!('running');
