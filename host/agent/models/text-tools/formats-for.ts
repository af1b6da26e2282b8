import type { ModelMessage } from '../../../api/model.ts';
import type { CallFormat } from './format.ts';
import { formats } from './formats.ts';
import { bareJson } from './formats/bare-json.ts';
import { fenced } from './formats/fenced.ts';

/** JSON in a reply is no call when the user asked for JSON. */
export const formatsFor = (messages: readonly ModelMessage[]): readonly CallFormat[] =>
  isJsonAskedFor(messages) ? formats.filter((format) => format !== bareJson && format !== fenced) : formats;

/**
 * Whether the user wants to see JSON. Then JSON in a reply, also in a code block, is the answer and not a call. If a file
 * or address is named, tools may be needed.
 */
function isJsonAskedFor(messages: readonly ModelMessage[]): boolean {
  const said = messages.findLast((message) => message.role === 'user');
  const text = (said?.content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  const own = withoutPreamble(text);
  return /(?<![\w./])json\b/i.test(own) && !/[\w-]\.\w{1,5}\b|\w*\/\w|\w:\\/.test(own);
}

/** Removes the blocks in square brackets that Pegboard puts before a message. */
const withoutPreamble = (text: string): string => text.replace(/^(?:\[[\s\S]*?\n\n(?=\S))+/, '');
