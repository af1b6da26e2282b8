import { expect, test } from 'vitest';
import type { Deliver, OutgoingMessage } from '../../../../host/api/channels/channel.ts';
import type { TurnContext } from '../../../../host/api/conversation.ts';
import { PegboardError } from '../../../../host/core/errors.ts';
import { textOf } from '../../../../host/tools/result.ts';
import { openPluginHome } from '../../../kit/homes/plugin-home.ts';

const turn = {
  message: { source: 'telegram', externalId: '42', text: 'hi' },
  conversation: { source: 'telegram', externalId: '42', id: 1 },
  untrusted: { origins: [] },
} as unknown as TurnContext;
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function recorder(): { readonly sent: [string, OutgoingMessage][]; readonly deliver: Deliver } {
  const sent: [string, OutgoingMessage][] = [];
  return {
    sent,
    deliver: async ({ channel, chat }, message) => void sent.push([`${channel}/${chat}`, message]),
  };
}

test('text, files, artifacts and choices go to the chat of the turn', async () => {
  const { sent, deliver } = recorder();
  await using home = await openPluginHome({
    files: { 'a.txt': 'hello', 'b.png': png },
    services: { deliver },
  });
  const artifact = await home.artifacts.write('a long result');
  const send = async (args: object) => textOf(await home.call('channel_send', args, { turn }));
  expect(await send({ text: 'Pick', buttons: ['Yes', 'No'] })).toBe('Delivered to telegram 42.');
  await send({ file: 'a.txt' });
  await send({ file: 'b.png', text: 'A picture' });
  await send({ artifact });
  expect(sent).toMatchObject([
    ['telegram/42', { text: 'Pick', buttons: ['Yes', 'No'] }],
    ['telegram/42', { attachments: [{ type: 'resource', resource: { name: 'a.txt', text: 'hello' } }] }],
    ['telegram/42', { text: 'A picture', attachments: [{ type: 'image', mimeType: 'image/png' }] }],
    ['telegram/42', { attachments: [{ type: 'resource', resource: { text: 'a long result' } }] }],
  ]);
});

test('another chat, and a file that may hold secrets, go only when a person agrees', async () => {
  const { sent, deliver } = recorder();
  await using home = await openPluginHome({ files: { '.env': 'A=1' }, services: { deliver } });
  const send = async (args: object) => (await home.call('channel_send', args, { turn })).error?.code;
  expect(await send({ text: 'x', channel: 'telegram', chat: '666' })).toBe('PEG_NOBODY_TO_ASK');
  expect(await send({ file: '.env' })).toBe('PEG_NOBODY_TO_ASK');
  expect(await send({ text: 'x', channel: 'telegram', chat: '42' })).toBeUndefined();
  expect(sent).toHaveLength(1);
});

test('what was not delivered is a failure that says why', async () => {
  const deliver: Deliver = () =>
    Promise.reject(new PegboardError('PEG_SERVER_UNAVAILABLE', 'Telegram is away.'));
  await using home = await openPluginHome({ services: { deliver } });
  const result = await home.call('channel_send', { text: 'x' }, { turn });
  expect(result.error).toMatchObject({ code: 'PEG_SERVER_UNAVAILABLE', message: 'Telegram is away.' });
  expect((await home.call('channel_send', { text: 'x' })).error?.message).toContain('Give channel and chat');
  expect((await home.call('channel_send', {}, { turn })).error?.message).toContain('nothing to send');
});

test('what is sent to the terminal waits there until it is taken, once', async () => {
  await using home = await openPluginHome();
  const terminal = home.plugins.instances.flatMap(({ channels }) => channels['terminal'] ?? [])[0]!;
  expect(await terminal.take!('cli')).toEqual([]);
  const { signal } = new AbortController();
  await terminal.deliver('cli', { text: 'first' }, signal);
  await terminal.deliver('cli', { text: 'second', buttons: ['a', 'b'] }, signal);
  await terminal.deliver('other', { text: 'third' }, signal);
  const image = { type: 'image', mimeType: 'image/png', data: png.toString('base64') } as const;
  const huge = { ...image, data: 'A'.repeat(8_000_000) };
  await terminal.deliver('cli', { text: 'fourth', attachments: [image, huge] }, signal);
  const taken = await terminal.take!('cli');
  expect(taken.map(({ text }) => text)).toEqual(['first', 'second\n\n(a | b)', 'fourth\n\n[image]']);
  expect(taken.map(({ images }) => images)).toEqual([undefined, undefined, [image]]);
  expect(await terminal.take!('cli')).toEqual([]);
});
