import type { RecordedCall, TurnContext } from '../api/conversation.ts';
import type { ModelMessage } from '../api/model.ts';
import type { Content } from '../api/result.ts';
import { toJson } from '../core/documents/written-numbers.ts';
import type { Conversations } from '../store/conversations/conversations.ts';
import type { StoredMessage } from '../store/conversations/messages.ts';
import { messageMarkOf } from './marks.ts';
import type { TurnHookTable } from './turn-hooks.ts';

/** What is sent of the conversation when nothing stands for its older part: Construct's figure, in messages. */
const fallbackLimit = 20;

export interface TurnHistory {
  /** What stands for everything before `messages`. */
  readonly earlier?: string;
  readonly messages: readonly StoredMessage[];
}

/**
 * What was said before this turn: with a summary of its older part where a plugin has one. `before`: the message of a
 * turn that goes on.
 */
export async function loadHistory(
  turn: TurnContext,
  hooks: Pick<TurnHookTable, 'history'>,
  conversations: Conversations,
  before?: number,
): Promise<TurnHistory> {
  const { id } = turn.conversation;
  const summary = await hooks.history(turn);
  const messages = summary
    ? await conversations.after(id, summary.after, before)
    : await conversations.recent(id, fallbackLimit, before);
  // What was read before is read again.
  for (const origin of [...(summary?.untrusted ?? []), ...messages.flatMap(({ untrusted }) => untrusted)])
    turn.untrusted.note(origin);
  return { messages, ...(summary && { earlier: summary.prefix }) };
}

/**
 * Stored messages as a model is shown them. Every call has its answer right after it, whatever became of its turn, so
 * that no provider refuses the history.
 */
export function toModelMessages(
  stored: readonly StoredMessage[],
  { source, wireNameOf }: { readonly source: string; readonly wireNameOf: (tool: string) => string },
): ModelMessage[] {
  const messages = stored.flatMap((message) =>
    message.role === 'user'
      ? [{ role: 'user' as const, content: userContent({ ...message, source }) }]
      : toAssistant(message, source, wireNameOf),
  );
  const merged = mergeAnswers(messages);
  return merged[0]?.role === 'assistant' ? [beforeShown, ...merged] : merged;
}

/** What was said to a chat outside of its turns follows an answer: some providers want a user between two of them. */
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

/** Some providers want a user to begin. */
const beforeShown: ModelMessage = {
  role: 'user',
  content: [{ type: 'text', text: '[What was said before is not shown.]' }],
};

/** A user's message, with the channel's mark where it has one. `before` is not part of what was said. */
export function userContent({
  source,
  text,
  attachments = [],
  externalMessageId,
  before,
}: {
  readonly source: string;
  readonly text: string;
  readonly attachments?: readonly Content[];
  readonly externalMessageId?: string;
  readonly before?: string;
}): readonly Content[] {
  const mark = externalMessageId === undefined ? '' : messageMarkOf(source, externalMessageId);
  const preamble = before === undefined ? '' : `${before}\n\n`;
  return [{ type: 'text', text: `${preamble}${mark}${text}` }, ...attachments];
}

/** One call after the other, as they ended, then what was said. */
function toAssistant(
  { text, toolCalls, state, stopped, externalMessageId }: StoredMessage,
  source: string,
  wireNameOf: (tool: string) => string,
): ModelMessage[] {
  const calls = toCallMessages(toolCalls, wireNameOf);
  const note = state === 'interrupted' ? `[This answer was interrupted: ${stopped ?? 'Pegboard ended'}]` : '';
  const said = [text, note].filter((part) => part !== '').join('\n\n');
  const mark = externalMessageId === undefined ? '' : messageMarkOf(source, externalMessageId);
  return [...calls, { role: 'assistant', text: `${mark}${said || '[no answer]'}` }];
}

/** Calls with their results, as if they had been made one after the other. */
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

/** Arguments that were no JSON were kept as text. */
const argumentsText = (args: unknown): string =>
  toJson(typeof args === 'object' && args !== null ? args : { unreadable: args });

/** Ids of the tools that were used, in the order of their first use. */
export function toolsUsedIn(stored: readonly Pick<StoredMessage, 'toolCalls'>[]): readonly string[] {
  return [...new Set(stored.flatMap(({ toolCalls }) => toolCalls.map(({ tool }) => tool)))];
}
