import { createHash } from 'node:crypto';
import type { ModelMessage, ModelToolCall } from '../../../api/model.ts';
import type { Content } from '../../../api/result.ts';
import type { Image } from '../images/image-faults.ts';
import { repairHistory } from './repair-history.ts';
import { isShownImage, textOf, toParts, type WirePart } from './content.ts';
import { parseJson } from '../../../core/documents/written-numbers.ts';

/** A message in the format of chat completions. */
export interface WireMessage {
  readonly role: string;
  readonly content: string | readonly WirePart[] | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
  readonly [field: string]: unknown;
}

export interface WireStyle {
  /** Mistral accepts only ids of nine letters and digits. */
  readonly shortCallIds?: boolean;
  /** Converts to a name that the provider accepts. */
  readonly toLegal: (name: string) => string;
  /** Images that are replaced by a text. */
  readonly leavesOut: (image: Image) => boolean;
  /** Fields that the provider wants back with an assistant message: reasoning, signatures. */
  readonly replay: (message: Extract<ModelMessage, { role: 'assistant' }>) => {
    readonly fields: object;
    readonly callFields: (call: ModelToolCall) => object;
  };
}

/**
 * A history that every provider accepts: call ids match, names are legal, arguments are JSON objects, tool messages
 * hold text alone.
 */
export function toWireMessages(messages: readonly ModelMessage[], style: WireStyle): WireMessage[] {
  const wire: WireMessage[] = [];
  const id = (callId: string): string => (style.shortCallIds ? shortId(callId) : callId);
  // Images of tool results follow in a user message, after all results of one reply.
  let images: Content[] = [];
  const showImages = (): void => {
    if (images.length > 0) wire.push(userMessage([imagesFollow, ...images]));
    images = [];
  };
  for (const message of repairHistory(messages)) {
    if (message.role !== 'tool') showImages();
    switch (message.role) {
      case 'system':
        wire.push({ role: 'system', content: message.text });
        break;
      case 'user':
        wire.push(userMessage(without(message.content, style.leavesOut)));
        break;
      case 'tool': {
        const shown = without(message.content, style.leavesOut);
        images.push(...shown.filter(isShownImage));
        const content = textOf(shown) || '(no output)';
        wire.push({ role: 'tool', tool_call_id: id(message.callId), content });
        break;
      }
      case 'assistant': {
        const { text, toolCalls = [] } = message;
        if (text === '' && toolCalls.length === 0) break;
        const { fields, callFields } = style.replay(message);
        const calls = toolCalls.map((call) => ({
          id: id(call.id),
          type: 'function',
          function: { name: style.toLegal(call.name), arguments: validArguments(call.arguments) },
          ...callFields(call),
        }));
        wire.push({
          role: 'assistant',
          content: text === '' ? null : text,
          ...fields,
          ...(calls.length > 0 && { tool_calls: calls }),
        });
      }
    }
  }
  showImages();
  return wire;
}

const imagesFollow: Content = { type: 'text', text: 'Images from the results of the tools above:' };

function userMessage(content: readonly Content[]): WireMessage {
  const plain = content.every(({ type }) => type !== 'image' && type !== 'audio');
  return { role: 'user', content: plain ? textOf(content) || '(empty)' : toParts(content) };
}

/** With a text in place of each image that is left out. */
export const without = (content: readonly Content[], leavesOut: (image: Image) => boolean): Content[] =>
  content.map((block) =>
    isShownImage(block) && leavesOut(block)
      ? { type: 'text', text: textOf([block]).replace(/]$/, ', not shown to this model]') }
      : block,
  );

/** Invalid arguments are wrapped in an object, since providers parse the arguments in the history. */
export function validArguments(text: string): string {
  if (text.trim() === '') return '{}';
  try {
    const value: unknown = parseJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text;
  } catch {
    // Not JSON: wrapped below.
  }
  return JSON.stringify({ unreadable: text });
}

const shortId = (id: string): string =>
  /^[A-Za-z0-9]{9}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9);
