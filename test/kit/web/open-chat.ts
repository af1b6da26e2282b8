import { startScriptedModel, type Script } from '../../../host/testing/index.ts';
import type { AnswerItem, ChatItem, ChatPage, NoteItem } from '../../../plugins/builtin-page/chat/wire.ts';
import { configFor } from '../homes/agent-home.ts';
import { servePage, type ServedPage } from './served-page.ts';
import { waitUntil } from '../wait-until.ts';

/** A chat of a page, as its screen uses it. */
export interface Chatting extends AsyncDisposable {
  readonly page: ServedPage;
  readonly chat: string;
  /** Resolves with the status when the message is stored. */
  write(text: string, more?: object): Promise<number>;
  read(before?: string): Promise<ChatPage>;
  /** The chat, when it is as wanted. */
  until(is: (chat: ChatPage) => boolean): Promise<ChatPage>;
}

/** `baseUrl`: of the model that answers. */
export async function openChat(
  baseUrl: string,
  files: { readonly [file: string]: string } = {},
): Promise<Chatting> {
  const page = await servePage({ 'pegboard.yaml': configFor({ baseUrl }), ...files });
  const chat = 'ctestchat';
  let written = 0;
  const read = async (before?: string): Promise<ChatPage> =>
    (await page.ask(`chat/${chat}${before === undefined ? '' : `?before=${before}`}`)).body;
  return {
    page,
    chat,
    read,
    async write(text, more = {}) {
      const id = `m${String(++written).padStart(8, '0')}`;
      return (await page.ask(`chat/${chat}`, { body: { id, text, ...more } })).status;
    },
    until: (is) => waitUntil(read, is),
    [Symbol.asyncDispose]: () => page[Symbol.asyncDispose](),
  };
}

/** With a model that answers by a script. */
export async function scriptedChat(
  script: Script,
  files: { readonly [file: string]: string } = {},
): Promise<Chatting> {
  await using opening = new AsyncDisposableStack();
  const model = opening.use(await startScriptedModel(script));
  const chatting = opening.use(await openChat(model.baseUrl, files));
  const opened = opening.move();
  return { ...chatting, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

export const answersIn = ({ items }: ChatPage): readonly AnswerItem[] =>
  items.filter((item) => item.kind === 'answer');
export const notesIn = ({ items }: ChatPage): readonly NoteItem[] =>
  items.filter((item) => item.kind === 'note');
export const textsOf = (items: readonly ChatItem[]): readonly string[] =>
  items.map((item) => (item.kind === 'asked' ? item.message : item.text));
