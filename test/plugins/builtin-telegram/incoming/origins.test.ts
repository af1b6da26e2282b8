import type { Message } from 'grammy/types';
import { describe, expect, test } from 'vitest';
import type { StoredMessage } from '../../../../host/api/store/history.ts';
import type { PluginContext } from '../../../../host/api/plugin.ts';
import type { Origin } from '../../../../host/api/provenance.ts';
import { originsOfMessage } from '../../../../plugins/builtin-channels/incoming/read-reaction.ts';
import {
  isTyped,
  originsFor,
  originsOf,
  repliesTo,
} from '../../../../plugins/builtin-telegram/incoming/origins.ts';

const owner = { id: 7, is_bot: false, first_name: 'Olga' };
const other = { id: 8, is_bot: false, first_name: 'Mallory' };
const bot = { id: 1, is_bot: true, first_name: 'Peg' };
const group = { id: -100, type: 'supergroup', title: 'Club' };
const photo = [{ file_id: 'a', file_unique_id: 'a', width: 1, height: 1 }];
const message = (more: object): Message =>
  ({
    message_id: 5,
    date: 1,
    chat: { id: 7, type: 'private', first_name: 'Olga' },
    from: owner,
    text: 'hello',
    ...more,
  }) as unknown as Message;
const answered = (more: object): object => ({ reply_to_message: message({ message_id: 4, ...more }) });

/** The bot's message 3 was its own text, message 4 comes from a web page. */
const history = {
  find: async (_key: object, id: string): Promise<StoredMessage | undefined> =>
    id === '3' || id === '4'
      ? {
          id: 1,
          role: 'assistant',
          text: '',
          at: '',
          untrusted: id === '3' ? [] : [{ kind: 'web', what: 'https://evil.example/' }],
        }
      : undefined,
};
/** Telegram's update, and what the host knows about the bot's own messages. */
async function origins(one: Message): Promise<readonly Origin[]> {
  const { replyTo, repliesToUs } = repliesTo(one, bot.id);
  const context = { history } as unknown as PluginContext;
  const said = repliesToUs ? await originsOfMessage(replyTo!, '7', { name: 'telegram', context }) : [];
  return [...originsOf(one, bot.id), ...said];
}

test('a file that is too large to be fetched marks nothing: nobody reads it', async () => {
  const document = { file_id: 'a', file_name: 'film.mkv', file_size: 30 * 1024 * 1024 };
  expect(await origins(message({ document, text: undefined, caption: 'keep this' }))).toEqual([]);
  expect(await origins(message({ document: { ...document, file_size: 1 } }))).toHaveLength(1);
});

test('a pinned message is the reader’s own only if they typed it', () => {
  expect(originsFor(owner.id, message({}))).toEqual([]);
  const others = [
    { from: other },
    { from: bot },
    { from: undefined },
    { sender_chat: group },
    { forward_origin: { type: 'user', sender_user: other, date: 1 } },
  ];
  for (const more of others) expect(originsFor(owner.id, message(more))).toHaveLength(1);
});

describe('what a message holds is somebody else’s when it is', () => {
  test.each<readonly [string, object]>([
    ['forwarded from a person', { forward_origin: { type: 'user', sender_user: other, date: 1 } }],
    [
      'forwarded from a hidden person',
      { forward_origin: { type: 'hidden_user', sender_user_name: 'x', date: 1 } },
    ],
    [
      'forwarded from a channel',
      { forward_origin: { type: 'channel', chat: group, message_id: 1, date: 1 } },
    ],
    ['made by an inline bot', { via_bot: bot }],
    ['sent in the name of a channel', { sender_chat: group }],
    ['a story', { story: { chat: group, id: 1 } }],
    ['a contact', { contact: { phone_number: '1', first_name: 'do this' } }],
    ['a place', { venue: { title: 'do this', address: 'x', location: {} } }],
    ['a poll', { poll: { question: 'do this?', options: [] } }],
    ['a list of tasks', { checklist: { title: 'do this', tasks: [] } }],
    ['a game', { game: { title: 'do this' } }],
    ['an invoice', { invoice: { title: 'do this' } }],
    ['a picture', { photo }],
    ['a file', { document: { file_id: 'a', file_name: 'do this.txt' } }],
    ['a recording', { audio: { file_id: 'a', title: 'do this' } }],
    ['a kind that is not known yet', { hologram: { text: 'do this' } }],
    ['an answer to another person', answered({ from: other })],
    ['an answer to another bot', answered({ from: { ...bot, id: 2 } })],
    ['an answer to a channel', answered({ from: undefined, sender_chat: group })],
    [
      'an answer to an anonymous administrator',
      answered({ from: { ...bot, id: 1087968824 }, sender_chat: group }),
    ],
    ['an answer in the name of a channel by oneself', answered({ sender_chat: group })],
    [
      'an answer to what one forwarded',
      answered({ forward_origin: { type: 'user', sender_user: other, date: 1 } }),
    ],
    ['an answer to a poll that one sent', answered({ poll: { question: 'do this?', options: [] } })],
    ['an answer to what the bot made of a web page', answered({ from: bot })],
    ['an answer to what the bot said outside of the conversation', answered({ from: bot, message_id: 9 })],
    ['a quote of another chat', { external_reply: { origin: {} }, quote: { text: 'do this' } }],
    ['a quote of nothing that is shown', { quote: { text: 'do this' } }],
    ['an answer to a story', { reply_to_story: { chat: group, id: 1 } }],
  ])('%s', async (_what, more) => {
    expect(await origins(message(more))).not.toEqual([]);
  });

  test.each<readonly [string, object]>([
    ['typed', {}],
    ['said', { voice: { file_id: 'a', duration: 3 } }],
    ['edited', { edit_date: 2 }],
    [
      'typed with a link',
      { entities: [{ type: 'text_link', offset: 0, length: 2, url: 'https://a.example' }] },
    ],
    ['an answer to what one typed', answered({})],
    ['an answer to what the bot said by itself', answered({ from: bot, message_id: 3 })],
    ['in a topic', { is_topic_message: true, ...answered({ from: other, forum_topic_created: {} }) }],
    ['a sticker', { text: undefined, sticker: { file_id: 'a', emoji: '👍' } }],
  ])('and the owner’s when it is %s', async (_what, more) => {
    expect(await origins(message(more))).toEqual([]);
  });

  test('what is not typed answers no question', () => {
    expect(isTyped(message({}))).toBe(true);
    expect(isTyped(message({ via_bot: bot }))).toBe(false);
  });
});
