import { PegboardError } from 'pegboard';
import type { Host } from 'pegboard/embed';
import { type EndedQuestion, type TranscriptMessage } from 'pegboard/home';
import type { PageChat } from '../channel/page-chat.ts';
import { isPageChat } from '../channel/driver.ts';
import { pageSource } from '../channel/page-source.ts';
import type { PageFile } from '../store/page-files.ts';
import type { PageMessage } from '../store/page-messages.ts';
import { storedCall, type TurnViews } from './turn-views.ts';
import type { AskedItem, ChatItem, ChatPage } from './wire.ts';

/** Messages that are read at once. */
const pageSize = 80;

/** Where earlier messages begin: what comes before these ids, and before this moment. */
interface Cursor {
  readonly row: number;
  readonly message: number;
  readonly at: string;
}

const newest: Cursor = { row: Number.MAX_SAFE_INTEGER, message: Number.MAX_SAFE_INTEGER, at: '~' };

/** An item with the place that it has in its store. */
type Placed = readonly [item: ChatItem, place: Partial<Pick<Cursor, 'row' | 'message'>>];

interface ReadParts {
  readonly host: Host;
  readonly chats: PageChat;
  readonly views: TurnViews;
}

/** The last messages of a chat, or those before `before`. Throws PEG_USAGE when there is no such conversation. */
export async function readChat(
  { host, chats, views }: ReadParts,
  id: string,
  before: string | undefined,
): Promise<ChatPage> {
  const cursor = before === undefined ? newest : readCursor(before);
  const { source, items } = isPageChat(id)
    ? { source: pageSource, items: await readPageChat(chats, id, cursor) }
    : await readConversation(chats, Number(id), cursor);
  items.sort(([a], [b]) => inOrder(a, b));
  const shown = items.slice(-pageSize);
  const hasMore = items.length > pageSize;
  const [first] = shown;
  const asker = isPageChat(id) ? `${source}/${id}` : undefined;
  const asked = asker === undefined ? [] : await host.questions.ended(asker);
  const from = hasMore ? first![0].at : '';
  const questions = asked.filter(({ askedAt }) => askedAt >= from && askedAt < cursor.at).map(toAsked);
  const running = before === undefined ? views.of(id) : undefined;
  return {
    id,
    source,
    items: withQuestions(
      shown.map(([item]) => item),
      questions,
    ),
    ...(hasMore && { earlier: cursorOf(shown, cursor) }),
    ...(running && { running }),
    waiting: isPageChat(id) ? await chats.waiting(id) : [],
  };
}

const inOrder = (a: ChatItem, b: ChatItem): number =>
  a.at < b.at ? -1 : a.at > b.at ? 1 : rank(a) - rank(b);

/** What was written comes before the answer of the same moment. */
const rank = ({ kind }: ChatItem): number => (kind === 'said' ? 0 : 1);

/** An answer has the time at which its turn began; what was asked in the turn stands before it. */
function withQuestions(items: readonly ChatItem[], questions: readonly AskedItem[]): readonly ChatItem[] {
  const placed: ChatItem[] = [];
  for (const item of [...items, ...questions].sort(inOrder)) {
    if (item.kind === 'asked' && placed.at(-1)?.kind === 'answer') placed.splice(-1, 0, item);
    else placed.push(item);
  }
  return placed;
}

async function readPageChat(chats: PageChat, id: string, cursor: Cursor): Promise<Placed[]> {
  // One more than is shown, so that it is known whether there are earlier ones.
  const limit = pageSize + 1;
  const [rows, answers] = await Promise.all([
    chats.messages.list(id, { before: cursor.row, limit }),
    chats.transcripts.read({ source: pageSource, externalId: id }, { before: cursor.message, limit }),
  ]);
  const files = await chats.files.of(rows.map((row) => row.id));
  return [
    ...rows.map((row): Placed => [toRowItem(row, files.get(row.id) ?? []), { row: row.id }]),
    ...answers.map((message): Placed => [toItem(message), { message: message.id }]),
  ];
}

async function readConversation(
  { transcripts }: PageChat,
  id: number,
  { message: before }: Cursor,
): Promise<{ readonly source: string; readonly items: Placed[] }> {
  const key = Number.isSafeInteger(id) ? await transcripts.keyOf(id) : undefined;
  if (!key) throw new PegboardError('PEG_USAGE', 'There is no such conversation.');
  const messages = await transcripts.read(id, { before, limit: pageSize + 1 });
  return { source: key.source, items: messages.map((one): Placed => [toItem(one), { message: one.id }]) };
}

function cursorOf(shown: readonly Placed[], { row, message }: Cursor): string {
  const rows = shown.flatMap(([, place]) => place.row ?? []);
  const messages = shown.flatMap(([, place]) => place.message ?? []);
  return `${Math.min(row, ...rows)}.${Math.min(message, ...messages)}.${Date.parse(shown[0]![0].at)}`;
}

function readCursor(text: string): Cursor {
  const [row, message, at] = text.split('.').map(Number);
  if (![row, message, at].every((part) => Number.isSafeInteger(part) && part! >= 0))
    throw new PegboardError('PEG_USAGE', `"${text}" is no place in a chat.`);
  return { row: row!, message: message!, at: new Date(at!).toISOString() };
}

function toItem(message: TranscriptMessage): ChatItem {
  const { id, role, text, at, agent, attachments, state, stopped, untrusted, calls } = message;
  if (role === 'user')
    return {
      kind: 'said',
      key: `m${id}`,
      at,
      text,
      files: [],
      ...(attachments > 0 && { images: attachments }),
    };
  if (agent === undefined) return { kind: 'note', key: `m${id}`, at, text, files: [] };
  return {
    kind: 'answer',
    key: `a${id}`,
    at,
    message: id,
    agent,
    text,
    calls: calls.map(storedCall),
    ...(stopped !== undefined && { stopped }),
    isInterrupted: state === 'interrupted',
    untrusted: [...new Set(untrusted.map(({ what }) => what))],
  };
}

function toRowItem(
  { id, key, own, text, at, blocks, buttons, link }: PageMessage,
  files: readonly PageFile[],
): ChatItem {
  const common = { key: `r${id}`, at, id: key, text, files } as const;
  if (!own) return { kind: 'said', ...common };
  return {
    kind: 'note',
    ...common,
    ...(blocks && { blocks }),
    ...(buttons && { buttons }),
    ...(link !== undefined && { link }),
  };
}

const toAsked = ({ id, tool, message, askedAt, decided }: EndedQuestion): AskedItem => ({
  kind: 'asked',
  key: `q${id}`,
  at: askedAt,
  question: id,
  tool,
  message,
  ...decided,
});
