import { openScheduleRig, stoppedClock, type Moment } from './kill-rig.ts';

/**
 * Runs schedules until it is killed, mostly in the middle of one; with `diesAt` it kills itself at that moment of its
 * first run, and time stands still meanwhile.
 */
const [home, began, until, longestRunMs, diesAt] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  Moment | undefined,
];
const soak = openScheduleRig(home, Number(began), {
  failed: (text) => process.stderr.write(`${text}\n`),
  longestRunMs: Number(longestRunMs),
  until: Number(until),
  ...(diesAt !== undefined && {
    clock: stoppedClock,
    at: (moment: Moment): void => {
      if (moment === diesAt) process.kill(process.pid, 'SIGKILL');
    },
  }),
});
await soak.store.list('all');
await soak.start();
process.send?.('running');
