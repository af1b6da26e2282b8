import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMovedClock } from '../../../kit/moved-clock.ts';
import { createDraftMessage } from '../../../../plugins/builtin-channels/turns/draft.ts';
import { silentLogger } from '../../../../host/core/log.ts';

test('once a message is full, what is added to the answer sends no edit with the same text', async () => {
  const sent = Promise.withResolvers<void>();
  const edits: string[] = [];
  const clock = createMovedClock();
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
    clock,
  });
  const long = 'word '.repeat(2_000);
  draft.show(long);
  await clock.sleeper(900);
  clock.pass(900);
  await sent.promise;
  draft.show(`${long} and more`);
  await clock.sleeper(1_200);
  clock.pass(1_200);
  await setImmediate();
  expect(await draft.end()).toBe('1');
  expect(edits).toEqual([]);
});
