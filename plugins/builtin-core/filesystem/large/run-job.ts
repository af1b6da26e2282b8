import { PegboardError } from 'pegboard';
import { runThread } from 'pegboard/processes';
import type { FileJobs, JobName } from './file-jobs.ts';
import { ownMemory } from './own-memory.ts';
import type { JobAnswer, JobOrder } from './file-worker.ts';

type Job<Name extends JobName> = Parameters<FileJobs[Name]>[0];
type Result<Name extends JobName> = Awaited<ReturnType<FileJobs[Name]>>;

export interface JobOptions {
  /** Bytes and characters that the job goes through. */
  readonly size: number;
  readonly signal: AbortSignal | undefined;
  /** The bytes of the job, which the caller doesn't need any more. */
  readonly transfer?: Uint8Array | undefined;
}

/** Up to here a job is done at once, in a few milliseconds; a thread takes longer to start. */
const maxSizeAtOnce = 512 * 1024;
/** Milliseconds. The tools' own limits are shorter. */
const timeoutMs = 60_000;
/** Megabytes: a file of 50 MB as text, before and after a change, and its copies. */
const memory = 2_048;

/**
 * Does a job on the content of a file: in a thread if that takes long, so that it keeps nobody waiting and ends with the
 * signal. Throws PEG_TOOL_FAILED.
 */
export async function runJob<Name extends JobName>(
  name: Name,
  job: Job<Name>,
  { size, signal, transfer }: JobOptions,
): Promise<Result<Name>> {
  if (size <= maxSizeAtOnce) {
    const { fileJobs } = await import('./file-jobs.ts');
    return (await fileJobs[name](job as never)) as Result<Name>;
  }
  const file = import.meta.filename.endsWith('.ts') ? './file-worker.ts' : './file-worker.js';
  const order: JobOrder = { name, job };
  const answer = await runThread<JobAnswer>(new URL(file, import.meta.url), order, {
    signal: signal ?? new AbortController().signal,
    timeoutMs,
    memory,
    transfer: ownMemory(transfer),
  });
  if ('refused' in answer) throw new PegboardError(answer.refused.code, answer.refused.message);
  return answer.value as Result<Name>;
}
