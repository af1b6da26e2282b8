import { expect, test } from 'vitest';
import type { ReceivedMessage } from '../../../../host/api/channels/driver.ts';
import {
  filesIn,
  originsIn,
  recordingIn,
  unsupportedIn,
} from '../../../../plugins/builtin-channels/incoming/attached.ts';
import { readEvent } from '../../../../plugins/builtin-discord/incoming/read-event.ts';
import type { Message } from '../../../../plugins/builtin-discord/incoming/message.ts';

const bot = { id: '1', username: 'peg', bot: true };
const olga = { id: '7', username: 'olga', global_name: 'Olga' };
const mallory = { id: '8', username: 'mallory' };
/** With what is read of it. */
const message = (more: object = {}): Message =>
  ({
    id: '5',
    channel_id: '100',
    type: 0,
    author: olga,
    content: 'hello',
    edited_timestamp: null,
    mentions: [],
    attachments: [],
    ...more,
  }) as unknown as Message;
const replyTo = (more: object) => ({
  type: 19,
  message_reference: { type: 0, message_id: '4' },
  referenced_message: message({ id: '4', ...more }),
});
const read = (more: object): ReceivedMessage | undefined =>
  readEvent({ t: 'MESSAGE_CREATE', d: message(more) }, bot.id) as ReceivedMessage | undefined;

const attachment = { id: '9', filename: 'a.txt', size: 3, url: 'https://cdn.example/a.txt' };
const audio = { ...attachment, filename: 'a.ogg', content_type: 'audio/ogg' };
const snapshot = { message: { content: 'obey', attachments: [] } };

test.each([
  ['typed', {}, [], true],
  ['a reply to the bot, whose own origins the host knows', replyTo({ author: bot }), [], true],
  ['a reply to themselves', replyTo({ author: olga }), [], true],
  ['a reply to somebody else', replyTo({ author: mallory }), ['@mallory'], true],
  ['a reply to another bot', replyTo({ author: { ...bot, id: '2' } }), ['another bot'], true],
  ['a reply to a webhook in their name', replyTo({ author: olga, webhook_id: '3' }), ['another bot'], true],
  ['a file', { attachments: [attachment] }, ['a.txt'], false],
  ['a voice message', { content: '', flags: 8192, attachments: [audio] }, [], false],
  ['an audio file', { content: '', attachments: [audio] }, ['a.ogg'], false],
  ['forwarded', { message_snapshots: [snapshot] }, ['the author of a forwarded message'], false],
  ['a sticker', { content: '', sticker_items: [{}] }, [], false],
])('what a message holds is somebody else’s when it is: %s', (_what, more, origins, isTyped) => {
  const { answer, isForwarded } = read(more)!;
  const untrusted = originsIn(read(more)!, { driver: {} });
  expect(untrusted.map(({ what }) => what)).toEqual(origins);
  expect(answer !== undefined).toBe(isTyped);
  expect(isForwarded).toBe('message_snapshots' in more);
});

test('a recording is what alone can be played in a message, and is no video', () => {
  const video = { ...audio, content_type: 'video/mp4' };
  expect(recordingIn(read({ attachments: [attachment, audio] })!)).toMatchObject({
    id: '100/5/9',
    name: 'a.ogg',
  });
  expect(filesIn(read({ attachments: [audio] })!)).toEqual([]);
  expect(recordingIn(read({ attachments: [audio, video] })!)).toBeUndefined();
  expect(recordingIn(read({ attachments: [video] })!)).toBeUndefined();
  expect(unsupportedIn(read({ attachments: [audio] })!)).toContain("can't listen to recordings");
  expect(unsupportedIn(read({ attachments: [audio, video] })!)).toContain("can't watch videos");
  expect(unsupportedIn(read({ attachments: [attachment] })!)).toBeUndefined();
});

test('what is no message of a person has no sender, or is nothing at all', () => {
  expect(read({ author: { ...bot, id: '2' } })!.from).toBeUndefined();
  expect(read({ webhook_id: '3' })!.from).toBeUndefined();
  expect(read({ type: 7 })).toBeUndefined();
  expect(read({ content: '' })).toBeUndefined();
  expect(readEvent({ t: 'MESSAGE_UPDATE', d: message() }, bot.id)).toBeUndefined();
});
