/** A thread that does one job on the content of a file. The answer is its only message. */
import { parentPort, workerData } from 'node:worker_threads';
import { PegboardError } from 'pegboard';
import { fileJobs, type ChangedText, type JobName } from './file-jobs.ts';
import { ownMemory } from './own-memory.ts';

export interface JobOrder {
  readonly name: JobName;
  readonly job: unknown;
}

export type JobAnswer =
  | { readonly value: unknown }
  | { readonly refused: Pick<PegboardError, 'code' | 'message'> };

async function answer({ name, job }: JobOrder): Promise<JobAnswer> {
  try {
    return { value: await fileJobs[name](job as never) };
  } catch (cause) {
    if (!(cause instanceof PegboardError)) throw cause;
    return { refused: { code: cause.code, message: cause.message } };
  }
}

const answered = await answer(workerData as JobOrder);
const { after } = 'value' in answered ? ((answered.value ?? {}) as Partial<ChangedText>) : {};
parentPort!.postMessage(answered, [...ownMemory(after)]);
