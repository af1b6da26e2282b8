import { homedir } from 'node:os';
import type { Surroundings } from '../../api/surroundings.ts';
import { systemClock } from '../async/clock.ts';

/** Those of this process. Only where a program begins: everything else gets its surroundings as a value. */
export const processSurroundings = (): Surroundings => ({
  env: process.env,
  cwd: () => process.cwd(),
  userHome: homedir(),
  clock: systemClock,
});
