import type { ModelMessage } from '../../../api/model.ts';

/**
 * Whether the user wants to see JSON. Then JSON in a reply, also in a code block, is the answer and not a call. If a file
 * or address is named, tools may be needed.
 */
export function isJsonAskedFor(messages: readonly ModelMessage[]): boolean {
  const said = messages.findLast((message) => message.role === 'user');
  const text = (said?.content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  const own = withoutPreamble(text);
  return /(?<![\w./])json\b/i.test(own) && !/[\w-]\.\w{1,5}\b|\w*\/\w|\w:\\/.test(own);
}

/** Removes the blocks in square brackets that Pegboard puts before a message. */
const withoutPreamble = (text: string): string => text.replace(/^(?:\[[\s\S]*?\n\n(?=\S))+/, '');
