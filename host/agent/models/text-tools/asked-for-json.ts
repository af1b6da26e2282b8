import type { ModelMessage } from '../../../api/model.ts';

/**
 * Does the person want to see JSON? Then JSON, also in a code block, is the answer and no call. Where a file or an address
 * is named there is something to do with JSON, which tools do.
 */
export function isJsonAskedFor(messages: readonly ModelMessage[]): boolean {
  const said = messages.findLast((message) => message.role === 'user');
  const text = (said?.content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  const own = withoutPreamble(text);
  return /(?<![\w./])json\b/i.test(own) && !/[\w-]\.\w{1,5}\b|\w*\/\w|\w:\\/.test(own);
}

/** Blocks in square brackets before a message come from Pegboard. */
const withoutPreamble = (text: string): string => text.replace(/^(?:\[[\s\S]*?\n\n(?=\S))+/, '');
