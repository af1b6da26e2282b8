import type { StoredJob } from '../store/jobs.ts';

/** "Job 3 (web.read): running for 12 s, page 4 of 9". */
export function describeJob(job: StoredJob, progress?: string): string {
  const until = job.endedAt === undefined ? Date.now() : Date.parse(job.endedAt);
  const seconds = Math.round((until - Date.parse(job.startedAt)) / 1000);
  const state: { readonly [state in StoredJob['state']]: string } = {
    running: `running for ${seconds} s${progress === undefined ? '' : `, ${progress}`}`,
    done: `done after ${seconds} s`,
    failed: `failed after ${seconds} s`,
    cancelled: 'cancelled',
    interrupted: 'interrupted, because Pegboard was stopped',
  };
  return `Job ${job.id} (${job.tool}): ${state[job.state]}`;
}

/** Written for the conversation's agent. */
export function describeEnd(job: StoredJob): string {
  if (job.state === 'interrupted') return `${describeJob(job)}; what it had done by then is not known`;
  if (job.result === undefined) return describeJob(job);
  return `${describeJob(job)}; background_run {"mode":"result","id":${job.id}} returns its result`;
}
