import type { Ask } from '../../../api/ask.ts';
import type { TurnContext } from '../../../api/conversation.ts';
import type { ModelMessage, ModelReply } from '../../../api/model.ts';
import type { Content, JsonObject } from '../../../api/result.ts';
import { PegboardError } from '../../../core/errors.ts';
import { visibleText } from '../../../core/foreign/visible-text.ts';
import { isObject } from '../transport/rpc-message.ts';

/** Asks the model of the turn's agent, on that agent's account. */
export type SamplingModel = (
  turn: TurnContext,
  request: {
    readonly messages: readonly ModelMessage[];
    readonly maxTokens: number;
    readonly signal: AbortSignal;
  },
) => Promise<ModelReply>;

/** Maximum requests in one call of a tool. */
const maxRequestsPerCall = 10;
/** Maximum tokens of one answer. */
const maxReplyTokens = 4_096;
/** Maximum characters that a person is shown. */
const maxShownLength = 4_000;
/** MCP's JSON-RPC error code for a request that a person rejected. */
const samplingRefused = -1;

/**
 * MCP's sampling with the model of our own agent: without tools or conversation, only with what the server sends. A
 * person confirms each request. Throws PEG_DECLINED, PEG_LIMIT and PEG_INVALID_ARGUMENTS.
 */
export function ownSampling(
  server: string,
  { turn, ask, signal }: { readonly turn: TurnContext; readonly ask: Ask; readonly signal: AbortSignal },
  complete: SamplingModel,
): (params: JsonObject) => Promise<JsonObject> {
  let requests = 0;
  return async (params) => {
    if (++requests > maxRequestsPerCall)
      throw new PegboardError(
        'PEG_LIMIT',
        `${server} may ask the model ${maxRequestsPerCall} times in one call.`,
      );
    const messages = toMessages(params);
    const wanted = params['maxTokens'];
    const maxTokens = Math.min(
      Number.isSafeInteger(wanted) ? (wanted as number) : maxReplyTokens,
      maxReplyTokens,
    );
    const answer = await ask(
      {
        message: `${server} wants to ask the model`,
        detail: shown(messages),
        notes: [
          `The answer goes to ${server}. At most ${maxTokens} tokens, at the expense of this conversation.`,
        ],
      },
      signal,
    );
    if (answer.action !== 'accept')
      throw new PegboardError('PEG_DECLINED', 'User rejected sampling request', {
        data: { code: samplingRefused },
      });
    const reply = await complete(turn, { messages, maxTokens, signal });
    return {
      role: 'assistant',
      content: { type: 'text', text: reply.text },
      model: reply.model,
      stopReason: reply.finish === 'length' ? 'maxTokens' : 'endTurn',
    };
  };
}

function toMessages(params: JsonObject): readonly ModelMessage[] {
  const { messages, systemPrompt, tools } = params;
  if (tools !== undefined) throw refused('tools');
  if (!Array.isArray(messages) || messages.length === 0) throw refused('a request without messages');
  const system = typeof systemPrompt === 'string' ? [{ role: 'system', text: systemPrompt } as const] : [];
  return [...system, ...messages.map(toMessage)];
}

function toMessage(message: unknown): ModelMessage {
  const { role, content } = isObject(message) ? message : {};
  const blocks = [content].flat();
  if (role === 'assistant') return { role, text: blocks.flatMap((block) => textOf(block) ?? []).join('\n') };
  if (role !== 'user') throw refused(`a message of "${String(role)}"`);
  return { role, content: blocks.map(toContent) };
}

const textOf = (block: unknown): string | undefined =>
  isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string'
    ? block['text']
    : undefined;

function toContent(block: unknown): Content {
  const isKnown = isObject(block) && ['text', 'image', 'audio'].includes(String(block['type']));
  if (!isKnown) throw refused('content that is neither text, image nor audio');
  return block as unknown as Content;
}

const refused = (what: string): PegboardError =>
  new PegboardError('PEG_INVALID_ARGUMENTS', `Sampling with ${what} is not possible here.`, {
    data: { code: -32602 },
  });

function shown(messages: readonly ModelMessage[]): string {
  const lines = messages.map((message) => {
    const text =
      message.role === 'user'
        ? message.content.map((block) => textOf(block) ?? `(${block.type})`).join('\n')
        : 'text' in message
          ? message.text
          : '';
    return `${message.role}: ${visibleText(text)}`;
  });
  const all = lines.join('\n');
  return all.length <= maxShownLength
    ? all
    : `${all.slice(0, maxShownLength)}\n… and ${all.length - maxShownLength} more characters`;
}
