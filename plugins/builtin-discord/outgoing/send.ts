import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  ChatAddress,
  KnownMessages,
  LostMessage,
  MessageContent,
  SendOptions,
  StyledMessage,
} from 'pegboard';
import { ChannelFailure, perform } from 'pegboard/channels';
import { isRefusal, refusals, type DiscordApi, type Upload } from '../discord-api.ts';
import type { Message } from '../wire.ts';
import { rowsOf } from './question.ts';

/** Bytes of a file, for bots everywhere. */
export const maxFileBytes = 10 * 1024 * 1024;
/** Links get no preview. */
const withoutPreviews = 1 << 2;
/** Whatever an answer contains, it notifies nobody. */
const noMentions = { allowed_mentions: { parse: [] } };
/** Attempts to learn what became of a message whose connection broke. */
const maxAttempts = 4;
const firstPauseMs = 500;

/** Keys are unique in this process. */
const ownNonces = randomUUID();

/**
 * Returns the message's id. Throws ChannelFailure. Discord takes a nonce once within a few minutes, and answers with the
 * message that has it: so one whose receipt got lost is sent again.
 */
export async function sendMessage(
  api: DiscordApi,
  { chat }: ChatAddress,
  content: MessageContent,
  options: SendOptions,
  signal: AbortSignal,
): Promise<string> {
  const { replyTo, key } = options;
  const isText = content.kind === 'text';
  const nonce = key === undefined ? randomUUID() : `${ownNonces}/${chat}/${key}`;
  const body = {
    ...(isText ? textOf(content) : { attachments: [{ id: 0, filename: content.name }] }),
    ...noMentions,
    components: rowsOf(options),
    nonce: createHash('sha256').update(nonce).digest('base64url').slice(0, 25),
    enforce_nonce: true,
    ...(replyTo !== undefined && { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
  };
  const file: Upload | undefined = isText
    ? undefined
    : { name: content.name, type: content.mimeType, bytes: Buffer.from(content.data, 'base64') };
  for (let attempt = 1; ; attempt++) {
    try {
      const path = `/channels/${chat}/messages`;
      return (await api.call<Message>('POST', path, { body, signal, ...(file && { file }) })).id;
    } catch (thrown) {
      const isUnknown = thrown instanceof ChannelFailure && thrown.kind === 'unknown';
      if (!isUnknown || attempt === maxAttempts) throw thrown;
      await delay(firstPauseMs * attempt, undefined, { signal });
    }
  }
}

const textOf = ({ text }: StyledMessage): { readonly content: string; readonly flags: number } => ({
  content: text,
  flags: withoutPreviews,
});

/** False: it is gone, or not the bot's. */
export async function editMessage(
  api: DiscordApi,
  { chat }: ChatAddress,
  id: string,
  text: StyledMessage,
  options: SendOptions,
): Promise<boolean> {
  const body = { ...textOf(text), ...noMentions, components: rowsOf(options) };
  try {
    await api.call('PATCH', `/channels/${chat}/messages/${id}`, { body });
    return true;
  } catch (thrown) {
    const { unknownMessage, unknownChannel, writtenByAnother } = refusals;
    if (isRefusal(thrown, unknownMessage, unknownChannel, writtenByAnother)) return false;
    throw thrown;
  }
}

/** The last message of the chat that is known. */
export const markOf = async ({ chat }: ChatAddress, known: KnownMessages): Promise<string> =>
  (await known.latest()).find((one) => one.chat === chat)?.id ?? '0';

/** Finds a message of the bot whose receipt got lost, by its text or buttons, and edits it. */
export async function findLostMessage(
  api: DiscordApi,
  { to, mark, text, options }: LostMessage,
  known: KnownMessages,
  signal: AbortSignal,
): Promise<string | undefined> {
  const path = `/channels/${to.chat}/messages?limit=100&after=${mark}`;
  const later = await perform(() => api.call<readonly Message[]>('GET', path, { signal }), {
    signal,
    repeatable: true,
  });
  const buttons = options.buttons?.map(({ data }) => data);
  for (const message of later) {
    const isMeant = buttons ? hasButton(message, buttons) : isBeginningOf(message.content, text.text);
    if (message.author.id !== api.bot || !isMeant || (await known.has(to.chat, message.id))) continue;
    const edit = (): Promise<boolean> => editMessage(api, to, message.id, text, options);
    if (await perform(edit, { signal, repeatable: true })) return message.id;
  }
  return undefined;
}

const hasButton = ({ components = [] }: Message, data: readonly string[]): boolean =>
  components.some((row) => row.components?.some(({ custom_id: id = '' }) => data.includes(id)));

/** An unfinished answer is replaced by its mark alone, and a question gets its outcome at the end. */
const isBeginningOf = (sent: string, text: string): boolean =>
  text === unfinished ? sent.endsWith(unfinished) : sent !== '' && text.startsWith(sent);
const unfinished = '…';
