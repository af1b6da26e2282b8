import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { silentLogger } from '../../../../host/core/log.ts';
import type { BotApi } from '../../../../plugins/builtin-telegram/bot-api.ts';
import { createDraftMessage } from '../../../../plugins/builtin-telegram/outgoing/draft.ts';

test('once a message is full, what is added to the answer sends no edit with the same text', async () => {
  const sent = Promise.withResolvers<void>();
  const edits: unknown[] = [];
  const raw = {
    sendMessage: () => {
      sent.resolve();
      return Promise.resolve({ message_id: 1 });
    },
    editMessageText: ({ text }: { readonly text: string }) => Promise.resolve(edits.push(text)),
  };
  const draft = createDraftMessage({
    api: { raw } as unknown as BotApi,
    place: { chat: 1, thread: undefined },
    message: undefined,
    replyTo: () => undefined,
    beforeSending: () => Promise.resolve(),
    find: () => Promise.resolve(undefined),
    onMessage: () => Promise.resolve(),
    signal: new AbortController().signal,
    log: silentLogger,
  } as Parameters<typeof createDraftMessage>[0]);
  const long = 'word '.repeat(2_000);
  draft.show(long);
  await sent.promise;
  draft.show(`${long} and more`);
  // Longer than between two edits: a slow machine sends fewer, never one more.
  await delay(2_500);
  expect(await draft.end()).toBe(1);
  expect(edits).toEqual([]);
});
