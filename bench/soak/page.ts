import { runTests } from './run-tests.ts';
import type { SoakTally } from './run.ts';

const tests = [
  'page/screens',
  'page/races',
  'page/restart',
  'page/hostile-texts',
  'page/hostile-chats',
  'page/real-schemas',
  'page/tabs',
  'bridge-tabs',
].map((name) => `test/host/web/${name}.test.ts`);

/**
 * Runs the tests of the page in the browsers: each screen in both, answers at the same time, kills of its host, and all
 * hostile texts.
 */
export const soakPage = (tally: SoakTally): Promise<void> => runTests(tally, 'the page in browsers', tests);
