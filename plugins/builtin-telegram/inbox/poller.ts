import type { Update } from 'grammy/types';
import type { ConnectionStatus } from 'pegboard';
import { ChannelFailure } from 'pegboard/channels';
import { pollSeconds, type BotApi } from '../bot-api.ts';
import { allowedUpdates } from './allowed-updates.ts';

/** Must store the updates on disk before it resolves: they are acknowledged to Telegram afterwards. */
export type Take = (updates: readonly Update[]) => Promise<void>;

export interface PollerOptions {
  readonly api: BotApi;
  readonly take: Take;
  readonly signal: AbortSignal;
  readonly status: ConnectionStatus;
}

/** Polls for updates until `signal` aborts or a poll fails. Updates that were not stored are not confirmed. */
export async function poll({ api, take, signal, status }: PollerOptions): Promise<void> {
  /**
   * Confirms all updates before it. Omitted once Telegram has received it: after a week without updates Telegram may
   * restart its ids elsewhere, and an old offset would confirm unread updates.
   */
  let offset: number | undefined;
  const next = (): Promise<readonly Update[]> =>
    api.polling.getUpdates(
      {
        timeout: pollSeconds,
        allowed_updates: allowedUpdates,
        ...(offset !== undefined && { offset }),
      },
      signal as Parameters<typeof api.polling.getUpdates>[1],
    );
  while (!signal.aborted) {
    const updates = await next().catch(async (thrown: unknown) => {
      // It is set, perhaps by us. Telegram refuses polls until it is deleted.
      if (isAboutWebhook(thrown)) await api.raw.deleteWebhook({});
      throw thrown;
    });
    await take(updates);
    status.working();
    offset = updates.length > 0 ? updates.at(-1)!.update_id + 1 : undefined;
  }
}

const isAboutWebhook = (thrown: unknown): boolean =>
  thrown instanceof ChannelFailure && thrown.status === 409 && thrown.message.includes('webhook');
