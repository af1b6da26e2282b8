import type { HistoryPrefix, RecordedCall, TurnContext } from '../api/conversation.ts';
import type { ModelMessage } from '../api/model.ts';
import type { Content } from '../api/result.ts';
import { toJson } from '../core/documents/written-numbers.ts';
import type { Conversations } from '../store/conversations/conversations.ts';
import type { StoredMessage } from '../store/conversations/messages.ts';
import type { StoredSummary } from '../store/conversations/summary.ts';
import { messageMarkOf } from './marks.ts';
import type { TurnHookTable } from './turn-hooks.ts';

/** Messages that are sent when there is no summary of the older part. */
export const fallbackLimit = 20;

export interface TurnHistory {
  /** Summary of everything before `messages`. */
  readonly earlier?: string;
  readonly messages: readonly StoredMessage[];
}

/**
 * The conversation before this turn, its older part as a summary if there is one: of the conversation, of a plugin, or of
 * both. `before`: id of the message of a resumed turn.
 */
export async function loadHistory(
  turn: TurnContext,
  hooks: Pick<TurnHookTable, 'history'>,
  conversations: Pick<Conversations, 'summary' | 'after' | 'recent'>,
  before?: number,
): Promise<TurnHistory> {
  const { id } = turn.conversation;
  const [summary, notes] = await Promise.all([conversations.summary(id), hooks.history(turn)]);
  // Notes on no more than the summary stands for say nothing new.
  const newer = notes && notes.after > (summary?.until ?? 0) ? notes : undefined;
  const messages = await readNewer(id, { summary, newer, before }, conversations);
  const earlier = [summary?.text, newer?.prefix].filter((text) => text !== undefined).join('\n\n');
  // The model reads earlier untrusted content again.
  const read = [summary, newer, ...messages].flatMap((part) => part?.untrusted ?? []);
  for (const origin of read) turn.untrusted.note(origin);
  return { messages, ...(earlier !== '' && { earlier }) };
}

interface OlderPart {
  readonly summary: StoredSummary | undefined;
  /** What a plugin knows about messages that the summary doesn't stand for. */
  readonly newer: HistoryPrefix | undefined;
  readonly before: number | undefined;
}

/** The messages that nothing stands for. A plugin's notes are on the conversation's own, not on those it took over. */
async function readNewer(
  id: number,
  { summary, newer, before }: OlderPart,
  conversations: Pick<Conversations, 'after' | 'recent'>,
): Promise<readonly StoredMessage[]> {
  if (!summary)
    return newer
      ? await conversations.after(id, newer.after, before)
      : await conversations.recent(id, fallbackLimit, before);
  const messages = await conversations.after(id, summary.until, before);
  return newer
    ? messages.filter((message) => message.id <= summary.inheritedUntil || message.id > newer.after)
    : messages;
}

/**
 * Stored messages as model messages. Every call is followed by its result, however its turn ended, so that no provider
 * refuses the history.
 */
export function toModelMessages(
  stored: readonly StoredMessage[],
  { tag, wireNameOf }: { readonly tag: string; readonly wireNameOf: (tool: string) => string },
): ModelMessage[] {
  const messages = stored.flatMap((message) =>
    message.role === 'user'
      ? [{ role: 'user' as const, content: userContent({ ...message, tag }) }]
      : toAssistant(message, tag, wireNameOf),
  );
  const merged = mergeAnswers(messages);
  return merged[0]?.role === 'assistant' ? [beforeShown, ...merged] : merged;
}

/** Messages sent to a chat outside a turn follow a reply: some providers reject two assistant messages in a row. */
function mergeAnswers(messages: readonly ModelMessage[]): ModelMessage[] {
  const merged: ModelMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    const isAnswer = (one: ModelMessage | undefined) => one?.role === 'assistant' && !one.toolCalls;
    if (message.role === 'assistant' && last?.role === 'assistant' && isAnswer(message) && isAnswer(last))
      merged[merged.length - 1] = { ...last, text: `${last.text}\n\n${message.text}` };
    else merged.push(message);
  }
  return merged;
}

/** Some providers require a user message first. */
const beforeShown: ModelMessage = {
  role: 'user',
  content: [{ type: 'text', text: '[Earlier messages are not shown.]' }],
};

/** A user's message, with the channel's mark if it has one: `tag` is what that begins with. `before` is Pegboard's preamble. */
export function userContent({
  tag,
  text,
  attachments = [],
  externalMessageId,
  before,
}: {
  readonly tag: string;
  readonly text: string;
  readonly attachments?: readonly Content[];
  readonly externalMessageId?: string;
  readonly before?: string;
}): readonly Content[] {
  const mark = externalMessageId === undefined ? '' : messageMarkOf(tag, externalMessageId);
  const preamble = before === undefined ? '' : `${before}\n\n`;
  return [{ type: 'text', text: `${preamble}${mark}${text}` }, ...attachments];
}

/** The calls in the order in which they ended, then the text. */
function toAssistant(
  { text, toolCalls, state, stopped, externalMessageId }: StoredMessage,
  tag: string,
  wireNameOf: (tool: string) => string,
): ModelMessage[] {
  const calls = toCallMessages(toolCalls, wireNameOf);
  const note = state === 'interrupted' ? `[This answer was interrupted: ${stopped ?? 'Pegboard ended'}]` : '';
  const said = [text, note].filter((part) => part !== '').join('\n\n');
  const mark = externalMessageId === undefined ? '' : messageMarkOf(tag, externalMessageId);
  return [...calls, { role: 'assistant', text: `${mark}${said || '[no answer]'}` }];
}

/** Calls with their results, as if made one after another. */
export function toCallMessages(
  toolCalls: readonly RecordedCall[],
  wireNameOf: (tool: string) => string,
): ModelMessage[] {
  return toolCalls.flatMap(({ id, tool, args, result }): ModelMessage[] => {
    const name = wireNameOf(tool);
    return [
      { role: 'assistant', text: '', toolCalls: [{ id, name, arguments: argumentsText(args) }] },
      { role: 'tool', callId: id, name, content: [{ type: 'text', text: result }] },
    ];
  });
}

/** Arguments that weren't valid JSON were stored as text. */
const argumentsText = (args: unknown): string =>
  toJson(typeof args === 'object' && args !== null ? args : { unreadable: args });

/** Ids of the tools that were used, in order of first use. */
export function toolsUsedIn(stored: readonly Pick<StoredMessage, 'toolCalls'>[]): readonly string[] {
  return [...new Set(stored.flatMap(({ toolCalls }) => toolCalls.map(({ tool }) => tool)))];
}
