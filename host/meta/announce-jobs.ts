import type { Deliver } from '../api/channel.ts';
import type { Logger } from '../api/log.ts';
import { messageOf } from '../core/errors.ts';
import { terminalChat } from '../dispatch/chat-of-call.ts';
import type { JobStore, UnannouncedJob } from '../store/jobs.ts';
import { describeJob } from './describe-job.ts';

export interface AnnouncerOptions {
  readonly store: Pick<JobStore, 'claimUnannounced' | 'endAnnouncement' | 'releaseAnnouncement'>;
  readonly deliver: Deliver;
  readonly log: Logger;
}

/** Tells chats of jobs that ended. Disposing stops what is being sent: the next host says it again. */
export interface JobAnnouncer extends AsyncDisposable {
  /** All that nobody has announced yet, also of processes that are gone. Returns at once. */
  announce(): void;
}

export function createJobAnnouncer({ store, deliver, log }: AnnouncerOptions): JobAnnouncer {
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const { signal } = closing;

  const announceOne = async (job: UnannouncedJob): Promise<void> => {
    const text = announcementOf(job);
    try {
      await deliver(job.chat, { text }, signal);
      await store.endAnnouncement(job.id, 'delivered');
    } catch (cause) {
      if (signal.aborted) return await store.releaseAnnouncement(job.id);
      log.error('the end of a background job was not announced', { job: job.id, ...job.chat, cause });
      await store.endAnnouncement(job.id, 'failed');
      if (job.chat.channel === terminalChat.channel) return;
      const notice = `This could not be delivered to ${job.chat.channel} ${job.chat.chat} (${messageOf(cause)}):\n\n${text}`;
      await deliver(terminalChat, { text: notice }, signal);
    }
  };
  /** Chats don't wait for each other, Telegram may be out of reach for minutes. */
  const announceAll = async (): Promise<void> => {
    const jobs = await store.claimUnannounced();
    await Promise.all(
      jobs.map((job) =>
        announceOne(job).catch((cause: unknown) =>
          log.error('nobody could be told of a background job', { job: job.id, cause }),
        ),
      ),
    );
  };
  return {
    announce() {
      if (signal.aborted) return;
      const announcing = announceAll()
        .catch((cause: unknown) => log.error('no background job could be announced', { cause }))
        .finally(() => running.delete(announcing));
      running.add(announcing);
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new DOMException('Pegboard is stopping', 'AbortError'));
      await Promise.all(running);
    },
  };
}

function announcementOf(job: UnannouncedJob): string {
  const { state, result, wasSending } = job;
  const more = {
    done: 'Ask me for its result.',
    failed: result?.error?.message ?? '',
    interrupted: 'Ask me to start it again if it is still needed.',
    running: '',
    cancelled: '',
  } as const satisfies { readonly [one in typeof state]: string };
  const again = wasSending
    ? '\n\n(Pegboard was stopped while this was being sent; it may come a second time.)'
    : '';
  return `${describeJob(job)}. ${more[state]}`.trimEnd() + again;
}
