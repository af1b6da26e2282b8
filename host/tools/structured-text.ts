import type { Content, ToolResult } from '../api/result.ts';
import { parseJson, toJson, withWritten, writtenText } from '../core/documents/written-numbers.ts';
import { withoutTags } from '../core/foreign/visible-text.ts';

/** Larger values or texts are not compared. */
const maxValues = 2_000;
const maxTextLength = 200_000;
/** Occurrences of one value that are checked. */
const maxPlaces = 50;

/**
 * Adds the structured content as a text block, unless the texts already contain it: models read only texts. MCP
 * requires both to be the same, but many servers send a summary with the data.
 */
export function withStructuredText(result: ToolResult): ToolResult {
  const { content, structured } = result;
  if (structured === undefined || isEmpty(structured)) return result;
  const texts = content.flatMap((block) => (block.type === 'text' && block.text !== '' ? [block.text] : []));
  if (texts.some((text) => isSame(text, structured)) || saysAll(texts.join('\n'), structured)) return result;
  const block: Content = { type: 'text', text: JSON.stringify(withWritten(structured), visible) };
  return { ...result, content: texts.length > 0 ? [...content, block] : [block, ...content] };
}

const visible = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? withoutTags(value) : value;

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

function isSame(text: string, structured: unknown): boolean {
  if (!/^\s*[[{"]/.test(text)) return false;
  try {
    return toJson(parseJson(text)) === toJson(structured);
  } catch {
    return false;
  }
}

/** Whether every value occurs in the text as a whole word. */
function saysAll(text: string, structured: unknown): boolean {
  if (text === '' || text.length > maxTextLength) return false;
  const values = valuesIn(structured, [], 0);
  return (
    values !== undefined && values.every((value) => isWordOf(text, value) || isWordOf(text, escaped(value)))
  );
}

/** Escaped as inside a JSON string. */
const escaped = (value: string): string => toJson(value).slice(1, -1);

/** Strings, numbers and booleans; undefined when there are too many. */
function valuesIn(value: unknown, found: string[], depth: number): string[] | undefined {
  if (found.length >= maxValues || depth > 100) return undefined;
  if (typeof value !== 'object' || value === null) {
    if (value !== null && value !== '') found.push(typeof value === 'string' ? value : toJson(value));
    return found;
  }
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === 'number') found.push(writtenText(value, key));
    else if (!valuesIn(item, found, depth + 1)) return undefined;
  }
  return found;
}

/** Whether it occurs in the text, outside a longer word or number. Only the first occurrences are checked. */
function isWordOf(text: string, value: string): boolean {
  let at = text.indexOf(value);
  for (let looked = 0; at >= 0 && looked < maxPlaces; looked++, at = text.indexOf(value, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + value.length, at + value.length + 2);
    const goesOn =
      (isWordLike(value[0]) && isWordLike(before.at(-1))) ||
      (isWordLike(value.at(-1)) && isWordLike(after[0])) ||
      (/^\d/.test(value) && /\d\.$/.test(before)) ||
      (/\d$/.test(value) && /^\.\d/.test(after));
    if (!goesOn) return true;
  }
  return false;
}

const isWordLike = (character = ' '): boolean => /[\p{L}\p{N}_]/u.test(character);
