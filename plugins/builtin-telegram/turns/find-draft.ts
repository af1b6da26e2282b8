import type { BotApi } from '../bot-api.ts';
import type { Updates } from '../inbox/updates.ts';
import type { Messages } from '../outgoing/messages.ts';
import { findUnrecorded } from '../outgoing/unrecorded.ts';
import type { Job } from './job.ts';

export interface DraftServices {
  readonly api: BotApi;
  readonly updates: Updates;
  readonly messages: Pick<Messages, 'isKnown'>;
  readonly signal: AbortSignal;
}

/** The message in which an attempt that was interrupted has begun to show its answer. */
export async function findDraft(
  { update, place }: Job,
  { api, updates, messages, signal }: DraftServices,
  after = update.draft_after,
): Promise<number | undefined> {
  if (update.draft !== null || after === null) return update.draft ?? undefined;
  const content = { text: '…' };
  const found = await findUnrecorded({ api, messages, chat: place.chat, after, content, signal });
  await updates.change(update.id, { draft: found ?? null, draft_after: null });
  return found;
}
