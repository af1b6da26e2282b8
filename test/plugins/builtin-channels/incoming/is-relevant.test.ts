import { expect, test } from 'vitest';
import type { ChannelEvent } from '../../../../host/api/channels/driver.ts';
import { isRelevant } from '../../../../plugins/builtin-channels/incoming/is-relevant.ts';

const message = (more: object = {}) =>
  ({
    kind: 'message',
    id: '1',
    address: { chat: '1' },
    from: { id: '7', name: 'Olga' },
    isPrivate: false,
    text: 'hello',
    ...more,
  }) as ChannelEvent;

test.each([
  ['a private message', message({ isPrivate: true }), 'none', true],
  ['a message of a group that is for the bot', message({ isAddressed: true }), 'addressed', true],
  ['a message of a group that is for others', message(), 'addressed', false],
  ['the same, where all are answered', message(), 'all', true],
  ['one that is for the bot, where none are answered', message({ isAddressed: true }), 'none', false],
  ['a message of another bot', message({ from: undefined, isPrivate: true }), 'all', false],
  ['what is no event', undefined, 'all', false],
] as const)('%s is kept only if it can be answered', (_what, event, groups, expected) => {
  const driver = { read: () => event };
  expect(isRelevant({ id: '1', body: {} }, { driver, settings: { groups } })).toBe(expected);
});

test('an event that the driver can’t read is kept, so that it is reported', () => {
  const read = (): never => {
    throw new TypeError('x is undefined');
  };
  const options = { driver: { read }, settings: { groups: 'none' } } as const;
  expect(isRelevant({ id: '1', body: {} }, options)).toBe(true);
});
