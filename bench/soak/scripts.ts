import { runTests } from './run-tests.ts';
import type { SoakTally } from './run.ts';

const tests = [
  'test/host/scripts/many-scripts.test.ts',
  'test/host/scripts/sandbox/bombs.test.ts',
  'test/system/kills/scripts.test.ts',
];

/** Runs a thousand scripts, all that try to exhaust their host, and a hundred kills of hosts whose scripts wait or run. */
export const soakScripts = (tally: SoakTally): Promise<void> => runTests(tally, 'scripts', tests);
