import type { Job } from './job.ts';

/** Runs jobs of one conversation one after the other, and different conversations concurrently. */
export interface JobQueue {
  add(job: Job): void;
  /** Jobs that have not started yet. */
  waitingIn(conversation: string): readonly Job[];
  /** Resolves when all started jobs have ended. */
  settled(): Promise<void>;
}

/** Milliseconds to wait for the other pictures of an album. */
const albumDelayMs = 400;

/** `run` must not reject. `isThreaded`: whether other jobs wait, or this one had to wait. */
export function createJobQueue(
  run: (job: Job, isThreaded: () => boolean) => Promise<void>,
  signal: AbortSignal,
): JobQueue {
  const lines = new Map<string, Job[]>();
  const running = new Set<Promise<void>>();

  const work = async (conversation: string, line: Job[]): Promise<void> => {
    let hasWaited = false;
    for (let job = line[0]; job !== undefined && !signal.aborted; job = line[0]) {
      if (albumOf(job) !== undefined) await new Promise((resolve) => setTimeout(resolve, albumDelayMs));
      line.shift();
      const waited = hasWaited;
      await run(job, () => waited || line.length > 0);
      hasWaited = line.length > 0;
    }
    lines.delete(conversation);
  };

  return {
    add(job) {
      const { conversation } = job.event;
      const line = lines.get(conversation);
      if (!line) {
        const first = [job];
        lines.set(conversation, first);
        const ended = work(conversation, first).finally(() => running.delete(ended));
        running.add(ended);
        return;
      }
      const last = line.at(-1);
      const album = albumOf(job);
      if (last && album !== undefined && albumOf(last) === album) {
        last.messages.push(...job.messages);
        last.others.push(job.event.id);
      } else line.push(job);
    },
    waitingIn: (conversation) => lines.get(conversation) ?? [],
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

const albumOf = ({ messages }: Job): string | undefined => messages[0]?.album;
