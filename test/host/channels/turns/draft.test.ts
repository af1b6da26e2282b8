import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDraftMessage } from '../../../../host/channels/turns/draft.ts';
import { silentLogger } from '../../../../host/core/log.ts';

test('once a message is full, what is added to the answer sends no edit with the same text', async () => {
  const sent = Promise.withResolvers<void>();
  const edits: string[] = [];
  const draft = createDraftMessage({
    driver: {
      render: (markdown) => [{ text: markdown.slice(0, 4_000) }, { text: markdown.slice(4_000) }],
      send() {
        sent.resolve();
        return Promise.resolve('1');
      },
      edit: (_to, _id, { text }) => Promise.resolve(edits.push(text) > 0),
      remove: () => Promise.resolve(),
    },
    address: { chat: '1' },
    isPrivate: true,
    message: undefined,
    replyTo: () => Promise.resolve(undefined),
    beforeSending: () => Promise.resolve(),
    find: () => Promise.resolve(undefined),
    onMessage: () => Promise.resolve(),
    signal: new AbortController().signal,
    log: silentLogger,
  });
  const long = 'word '.repeat(2_000);
  draft.show(long);
  await sent.promise;
  draft.show(`${long} and more`);
  // Longer than the interval between two edits: a slow machine sends fewer, never more.
  await delay(2_500);
  expect(await draft.end()).toBe('1');
  expect(edits).toEqual([]);
});
