import { openScheduleRig } from './kill-rig.ts';

/** Runs schedules until it is killed. */
const [home, began] = process.argv.slice(2) as [string, string];
const soak = openScheduleRig(home, Number(began), (text) => process.stderr.write(`${text}\n`));
await soak.store.list('all');
soak.start();
process.send!('running');
