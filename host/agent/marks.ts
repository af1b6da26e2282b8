import type { IncomingMessage } from '../api/conversation.ts';

/** What the marks of a message's conversation begin with. */
export const tagOf = ({ messageTag, source }: Pick<IncomingMessage, 'messageTag' | 'source'>): string =>
  messageTag ?? source;

/**
 * The channel's message id before its text, "[tg:123] ", so that tools can refer to it. Models imitate these marks, so
 * they are removed from replies.
 */
export function messageMarkOf(tag: string, externalMessageId: string): string {
  return `${opening(tag)}${externalMessageId}] `;
}

const opening = (tag: string): string => `[${tag}:`;

/** Anything longer is not a mark. */
const maxMarkLength = 80;

/** Removes marks from the beginning of a text. */
export function withoutMarks(text: string, tag: string): string {
  const mark = new RegExp(`^(?:\\s*${RegExp.escape(opening(tag))}[^\\]\\s]{1,${maxMarkLength}}\\])+\\s*`);
  return text.replace(mark, '');
}

/** The same for streamed text: holds it back while it could still be a mark. */
export interface MarkFilter {
  /** The text that can be shown now. */
  add(piece: string): string;
}

export function createMarkFilter(tag: string): MarkFilter {
  let pending: string | undefined = '';
  return {
    add(piece) {
      if (pending === undefined) return piece;
      pending += piece;
      const rest = withoutMarks(pending, tag);
      if (couldBeMark(rest.trimStart(), opening(tag))) return '';
      pending = undefined;
      return rest;
    },
  };
}

function couldBeMark(text: string, start: string): boolean {
  if (text.length <= start.length) return start.startsWith(text);
  return text.startsWith(start) && !/[\]\s]/.test(text.slice(start.length)) && text.length < maxMarkLength;
}
