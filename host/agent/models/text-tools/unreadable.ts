import { isMentioned, lineBefore } from './control-tokens.ts';
import { unreadableCall } from './truncated.ts';
import { matchAt, skipSpace, type FoundCall, type ParsedCalls } from './format.ts';
import { closing } from './remainder.ts';
import { parseJson } from '../../../core/documents/written-numbers.ts';

/** Whether the call was parsed completely, and may run. */
export function isReadable({ arguments: args, problem }: FoundCall): boolean {
  if (problem !== undefined) return false;
  try {
    parseJson(args);
    return true;
  } catch {
    return false;
  }
}

/** The start of a call: JSON, a tag, or a name with arguments. */
const callLike = /[{[]|<[/\w｜|]|[A-Za-z_][\w.-]*\s*(?:[({<]|\r?\n|$)/;

/**
 * Markup of a call in an unknown format: it is not shown, and the model gets an error. Undefined when the markup is
 * only mentioned.
 */
export function readUnreadable(text: string, at: number, opening: RegExp): ParsedCalls | undefined {
  const opened = matchAt(opening, text, at)![0];
  const from = at + opened.length;
  const closed = closing.exec(text.slice(from));
  const to = closed ? from + closed.index : text.length;
  const end = closed ? to + closed[0].length : text.length;
  const isAlone = text.slice(0, at).trim() === '' && text.slice(end).trim() === '';
  if (!isAlone && !isAttempt(text, at, from, to, closed !== null, opened)) return undefined;
  return { calls: [unreadableCall(text.slice(at, end))], end };
}

function isAttempt(
  text: string,
  at: number,
  from: number,
  to: number,
  isClosed: boolean,
  opened: string,
): boolean {
  if (text.slice(from, to).trim() === '') return false;
  if (!opened.startsWith('<') || /^<[|｜]/.test(opened)) return !isMentioned(text, at, from);
  const before = lineBefore(text, at);
  if (before.trim() !== '' && before.endsWith(' ')) return false;
  return isClosed || matchAt(callLike, text, skipSpace(text, from)) !== undefined;
}
