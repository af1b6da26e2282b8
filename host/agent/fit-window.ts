import type { ModelMessage, WireTool } from '../api/model.ts';
import type { Content } from '../api/result.ts';
import { cutMiddle } from '../tools/output-limit.ts';
import { tokensIn, tokensOf } from '../tools/injection/wire.ts';
import { toJson } from '../core/documents/written-numbers.ts';

/** The rest is for the answer, and for what four characters a token underestimates. */
const usableShare = 0.8;
/** Whatever its size: providers count by pixels. */
const tokensPerImage = 1_500;
/** Characters that are left of a result: of an old one, and of one that the model has not answered yet. */
const shortened = { old: 600, fresh: 6_000 } as const;

/**
 * The messages as they fit into the context window: old results are shortened first, oldest first, then fresh ones;
 * then the oldest turns go. Calls keep their answers throughout, and the last user's message with what follows it
 * stays. `fresh`: where the results begin that the model has not seen yet.
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

/** Tokens of the context window into which messages of so many tokens just fit beside the tools. */
export const windowFor = (tokens: number, tools: readonly WireTool[]): number =>
  (tokens + tokensOfTools(tools)) / usableShare;

const tokensOfTools = (tools: readonly WireTool[]): number =>
  tools.reduce((sum, tool) => sum + tokensOf(tool), 0);

export const tokensOfMessages = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);

/** Where turns begin: each with what a user says. */
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
