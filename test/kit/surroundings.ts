import type { Clock, Surroundings } from '../../host/api/surroundings.ts';
import { processSurroundings } from '../../host/core/platform/surroundings.ts';

/** Those of the test's process, with these variables besides. */
export const surroundingsWith = (variables: NodeJS.ProcessEnv): Surroundings => ({
  ...processSurroundings(),
  env: { ...process.env, ...variables },
});

/** Those of the test's process, with this clock if there is one. */
export const surroundingsBy = (clock: Clock | undefined): Surroundings => ({
  ...processSurroundings(),
  ...(clock && { clock }),
});
