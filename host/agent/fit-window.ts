import type { ModelMessage, WireTool } from '../api/model.ts';
import type { Content } from '../api/result.ts';
import { cutMiddle } from '../tools/output-limit.ts';
import { tokensIn, tokensOf } from '../tools/injection/wire.ts';
import { toJson } from '../core/documents/written-numbers.ts';

/** The rest is left for the reply, and for the error of estimating four characters per token. */
export const usableShare = 0.8;
/** An estimate: providers count by pixels. */
const tokensPerImage = 1_500;
/** Characters that are kept of a shortened result: an old one, and one that the model has not seen yet. */
const shortened = { old: 600, fresh: 6_000 } as const;

/**
 * Fits the messages into the context window: old results are shortened, oldest first, then fresh ones; then the oldest
 * turns are dropped. Calls keep their results, and the last user's message with everything after it is kept. `fresh`:
 * index of the first result that the model has not seen yet.
 */
export function fitWindow(
  messages: readonly ModelMessage[],
  {
    contextWindow,
    tools,
    fresh,
  }: { readonly contextWindow: number; readonly tools: readonly WireTool[]; readonly fresh: number },
): readonly ModelMessage[] {
  const room = contextWindow * usableShare - tokensOfTools(tools);
  let tokens = tokensOfMessages(messages);
  if (tokens <= room) return messages;
  const fitted = [...messages];
  const shorten = (from: number, to: number, length: number): void => {
    for (let at = from; at < to && tokens > room; at++) {
      const message = fitted[at]!;
      if (message.role !== 'tool') continue;
      const short = { ...message, content: message.content.map((block) => shortBlock(block, length)) };
      tokens += tokensOfMessage(short) - tokensOfMessage(message);
      fitted[at] = short;
    }
  };
  shorten(0, fresh, shortened.old);
  shorten(fresh, fitted.length, shortened.fresh);
  while (tokens > room) {
    const [first, next] = turnStarts(fitted);
    if (first === undefined || next === undefined) break;
    for (const removed of fitted.splice(first, next - first)) tokens -= tokensOfMessage(removed);
  }
  return fitted;
}

/** The smallest context window that fits `tokens` of messages and these tools. */
export const windowFor = (tokens: number, tools: readonly WireTool[]): number =>
  (tokens + tokensOfTools(tools)) / usableShare;

const tokensOfTools = (tools: readonly WireTool[]): number =>
  tools.reduce((sum, tool) => sum + tokensOf(tool), 0);

export const tokensOfMessages = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);

/** Indexes of the user messages, which begin turns. */
function turnStarts(messages: readonly ModelMessage[]): readonly number[] {
  return messages.flatMap(({ role }, at) => (role === 'user' ? [at] : []));
}

function shortBlock(block: Content, length: number): Content {
  if (block.type === 'text')
    return { type: 'text', text: cutMiddle(block.text, length, 'call the tool again if you need it') };
  if (block.type === 'image' || block.type === 'audio')
    return { type: 'text', text: `[${block.type} ${block.mimeType}, left out]` };
  return block;
}

function tokensOfMessage(message: ModelMessage): number {
  switch (message.role) {
    case 'system':
      return tokensIn(message.text);
    case 'assistant':
      return tokensIn(message.text) + tokensIn(toJson(message.toolCalls ?? ''));
    case 'user':
    case 'tool':
      return message.content.reduce((sum, block) => sum + tokensOfBlock(block), 0);
  }
}

function tokensOfBlock(block: Content): number {
  if (block.type === 'image' || block.type === 'audio') return tokensPerImage;
  return tokensIn(block.type === 'text' ? block.text : toJson(block));
}
