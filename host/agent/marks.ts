/**
 * The channel's message id before its text, "[tg:123] ", so that tools can refer to it. Models imitate these marks, so
 * they are removed from replies.
 */
export function messageMarkOf(source: string, externalMessageId: string): string {
  return `${opening(source)}${externalMessageId}] `;
}

const opening = (source: string): string => `[${source === 'telegram' ? 'tg' : source}:`;

/** Anything longer is not a mark. */
const maxMarkLength = 80;

/** Removes marks from the beginning of a text. */
export function withoutMarks(text: string, source: string): string {
  const mark = new RegExp(`^(?:\\s*${RegExp.escape(opening(source))}[^\\]\\s]{1,${maxMarkLength}}\\])+\\s*`);
  return text.replace(mark, '');
}

/** The same for streamed text: holds it back while it could still be a mark. */
export interface MarkFilter {
  /** The text that can be shown now. */
  add(piece: string): string;
}

export function createMarkFilter(source: string): MarkFilter {
  let pending: string | undefined = '';
  return {
    add(piece) {
      if (pending === undefined) return piece;
      pending += piece;
      const rest = withoutMarks(pending, source);
      if (couldBeMark(rest.trimStart(), opening(source))) return '';
      pending = undefined;
      return rest;
    },
  };
}

function couldBeMark(text: string, start: string): boolean {
  if (text.length <= start.length) return start.startsWith(text);
  return text.startsWith(start) && !/[\]\s]/.test(text.slice(start.length)) && text.length < maxMarkLength;
}
