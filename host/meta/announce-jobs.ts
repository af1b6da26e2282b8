import type { Deliver } from '../api/channels/channel.ts';
import type { Logger } from '../api/log.ts';
import { messageOf } from '../core/errors.ts';
import { openLinks } from '../core/foreign/open-links.ts';
import { terminalChat } from '../dispatch/chat-of-call.ts';
import type { JobStore, UnannouncedJob } from '../store/jobs.ts';
import { describeJob } from './describe-job.ts';

export interface AnnouncerOptions {
  readonly store: Pick<JobStore, 'claimUnannounced' | 'endAnnouncement' | 'releaseAnnouncement'>;
  readonly deliver: Deliver;
  readonly log: Logger;
}

/** Announces finished jobs in their chats. Disposing aborts deliveries in progress: the next host repeats them. */
export interface JobAnnouncer extends AsyncDisposable {
  /**
   * Announces all that are not announced yet, including those of processes that died, and from then on looks for more.
   * Returns immediately.
   */
  announce(): void;
}

/** Milliseconds between two looks for jobs whose host has died. */
const lookMs = 15_000;

export function createJobAnnouncer({ store, deliver, log }: AnnouncerOptions): JobAnnouncer {
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const { signal } = closing;
  let timer: NodeJS.Timeout | undefined;

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
  /** In parallel: one channel may be unreachable for minutes. */
  const announceAll = async (): Promise<void> => {
    const jobs = await store.claimUnannounced();
    await Promise.all(
      jobs.map((job) =>
        announceOne(job).catch((cause: unknown) =>
          log.error('a background job could not be announced', { job: job.id, cause }),
        ),
      ),
    );
  };
  return {
    announce() {
      if (signal.aborted) return;
      timer ??= setInterval(() => this.announce(), lookMs).unref();
      const announcing = announceAll()
        .catch((cause: unknown) => log.error('background jobs could not be announced', { cause }))
        .finally(() => running.delete(announcing));
      running.add(announcing);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      closing.abort(new DOMException('Pegboard is stopping', 'AbortError'));
      await Promise.all(running);
    },
  };
}

function announcementOf(job: UnannouncedJob): string {
  const { state, result, wasSending } = job;
  const more = {
    done: 'Ask me for its result.',
    // A tool may repeat what a model has sent it.
    failed: openLinks(result?.error?.message ?? '', () => false),
    interrupted: 'What it had done by then is not known: check that before you ask me to start it again.',
    running: '',
    cancelled: '',
  } as const satisfies { readonly [one in typeof state]: string };
  const again = wasSending
    ? '\n\n(Pegboard was stopped while this was being sent; it may come a second time.)'
    : '';
  return `${describeJob(job)}. ${more[state]}`.trimEnd() + again;
}
