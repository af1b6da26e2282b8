import { PegboardError } from 'pegboard';
import { commandList } from 'pegboard/channels';
import type { Host } from 'pegboard/embed';
import { chatCommandList, whoAnswers } from 'pegboard/home';
import { randomUUID } from 'node:crypto';
import type { PageChat } from '../channel/page-chat.ts';
import { isPageChat } from '../channel/driver.ts';
import { maxFiles } from '../channel/limits.ts';
import { pageSource } from '../channel/page-source.ts';
import { readChat } from '../chat/read-chat.ts';
import type { TurnViews } from '../chat/turn-views.ts';
import type { ChatList, ChatRow } from '../chat/wire.ts';
import { fileIdsIn, textIn, type ApiHandlers } from './handler.ts';

/** Chats in the list. */
const maxChats = 100;
const maxTextLength = 200_000;

/** The chats of the page, and conversations that are held elsewhere, which can be read. */
export function chatHandlers(host: Host, chats: PageChat, views: TurnViews): ApiHandlers {
  return {
    'GET chats': async (): Promise<ChatList> => {
      const answering = whoAnswers(host);
      return {
        chats: await listChats(chats, views),
        model: {
          ok: answering.status === 'ok',
          text: answering.message,
          ...(answering.fix !== undefined && { fix: answering.fix }),
        },
        commands: commandList(chatCommandList),
      };
    },
    'GET chat': ({ path: [id = ''], query }) =>
      readChat({ host, chats, views }, id, query.get('before') ?? undefined),
    'POST chat': async ({ path: [chat = ''], body }) => {
      requireChat(chat);
      const id = textIn(body, 'id');
      const text = textIn(body, 'text');
      if (!/^m[a-z0-9]{6,30}$/.test(id))
        throw new PegboardError('PEG_USAGE', `"${id}" is no id of a message.`);
      if (text.length > maxTextLength)
        throw new PegboardError(
          'PEG_USAGE',
          `A message has at most ${maxTextLength} characters. Attach longer texts as files.`,
        );
      const files = await chats.files.find(fileIdsIn(body, maxFiles));
      if (text.trim() === '' && files.length === 0)
        throw new PegboardError('PEG_USAGE', 'The message is empty.');
      const at = now();
      await chats.take({
        kind: 'message',
        chat,
        id,
        text,
        files: files.map(({ id: file, name, type, bytes }) => ({
          id: file,
          name,
          mimeType: type,
          sizeBytes: bytes,
        })),
      });
      await chats.messages.add({ chat, key: id, own: false, text, at, files: files.map((file) => file.id) });
    },
    'POST chat-stop': async ({ path: [chat = ''] }) => {
      requireChat(chat);
      await chats.take({ kind: 'message', chat, id: randomUUID(), text: '/stop', files: [] });
    },
    'POST chat-press': async ({ path: [chat = ''], body }) => {
      requireChat(chat);
      const [data, message, id] = [textIn(body, 'data'), textIn(body, 'message'), randomUUID()];
      const pressed = await chats.messages.find(chat, message);
      const label = pressed?.buttons?.find((button) => button.data === data)?.label;
      const at = now();
      await chats.take({ kind: 'press', chat, id, data, message });
      // A question says itself how it was answered; otherwise the label is what the person says, however often it is
      // pressed before the buttons are gone.
      if (label !== undefined && !pressed?.blocks)
        await chats.messages.add({ chat, key: `pressed/${message}`, own: false, text: label, at });
    },
    'GET chat-result': async ({ path }) => {
      const [first = '', call] = path;
      const text =
        call === undefined
          ? await chats.transcripts.result(Number(first))
          : views.result(Number(first), call);
      if (text === undefined) throw new PegboardError('PEG_USAGE', 'This result is not kept any more.');
      return { text };
    },
  };
}

/** Taken before a message is handed over: the answer to it may be stored before the message is. */
const now = (): string => new Date().toISOString();

function requireChat(chat: string): void {
  if (!isPageChat(chat))
    throw new PegboardError('PEG_USAGE', 'Messages can only be written into the chats of the page.');
}

/** Newest first. */
async function listChats({ messages, sessions }: PageChat, views: TurnViews): Promise<readonly ChatRow[]> {
  const [own, others] = await Promise.all([messages.chats(maxChats), sessions.list({ limit: maxChats })]);
  const rows = [
    ...own.map(({ chat: id, opening, messages, lastAt }) => ({
      id,
      source: pageSource,
      opening,
      messages,
      at: lastAt,
    })),
    ...others
      .filter(({ source }) => source !== pageSource)
      .map(({ id, source, title, messages, lastAt }) => ({
        id: String(id),
        source,
        opening: title,
        messages,
        at: lastAt,
      })),
  ];
  return rows
    .map((row) => ({ ...row, isRunning: views.of(row.id) !== undefined }))
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .slice(0, maxChats);
}
