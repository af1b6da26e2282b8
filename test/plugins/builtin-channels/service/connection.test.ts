import { expect, test } from 'vitest';
import { ChannelFailure } from '../../../../plugins/builtin-channels/failure.ts';
import { connectionFailure } from '../../../../plugins/builtin-channels/service/connection-failure.ts';
import { pauseAfter } from '../../../../plugins/builtin-channels/service/connection.ts';

const broken = new ChannelFailure('unknown', 'the connection broke');

test.each([
  ['hung', 7_000, [250, 250, 250, 250, 250, 250, 250]],
  ['failed at once', 0, [250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]],
] as const)('however often an attempt has %s, the next one follows soon', (_how, tookMs, expected) => {
  expect(expected.map((_, index) => pauseAfter(broken, { failures: index + 1, tookMs }))).toEqual(expected);
});

test.each([
  ['asks to wait', new ChannelFailure('busy', 'later', { seconds: 7 }), 7_000],
  ['asks to wait, without saying how long', new ChannelFailure('busy', 'later'), 1_000],
  ['refuses, and wants to be left alone', new ChannelFailure('refused', 'No', { seconds: 30 }), 30_000],
  ['refuses', new ChannelFailure('refused', 'Conflict'), 250],
  ['has a driver with a mistake', new TypeError('x is undefined'), 250],
])('a service that %s is asked again in time', (_what, thrown, expected) => {
  expect(pauseAfter(thrown, { failures: 1, tookMs: 0 })).toBe(expected);
});

test('a request that timed out, or has a name for what went wrong, is reported in words', () => {
  const late = new DOMException('timed out after 30 s', 'TimeoutError');
  expect(connectionFailure(late)).toMatchObject({ kind: 'unknown', message: 'timed out after 30 s' });
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  expect(connectionFailure(refused)).toMatchObject({ kind: 'notSent', message: 'ECONNREFUSED' });
});
