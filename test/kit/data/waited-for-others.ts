import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Milliseconds for which threads of a process were runnable while others had the processor. Linux only. */
export function waitedForOthers(pid: number = process.pid): number {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return 0;
  const waited = readdirSync(threads).map(
    (id) => readFileSync(`${threads}/${id}/schedstat`, 'utf8').split(' ')[1],
  );
  return waited.reduce((sum, nanoseconds) => sum + Number(nanoseconds) / 1e6, 0);
}
