import { runJob } from '../large/run-job.ts';
import type { LineSearchEngine } from './line-search.ts';

/** Used where there is no ripgrep. In a thread, because no file says how long a search in it takes. */
export const searchByRe2: LineSearchEngine = async ({ signal, ...search }) =>
  await runJob('findLines', search, { size: Infinity, signal });
