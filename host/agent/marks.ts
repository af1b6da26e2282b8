/**
 * A channel's own id of a message stands before its text, as "[tg:123] ", so that tools can refer to it. Models
 * imitate what they see, and nobody wants to read it.
 */
export function messageMarkOf(source: string, externalMessageId: string): string {
  return `${opening(source)}${externalMessageId}] `;
}

const opening = (source: string): string => `[${source === 'telegram' ? 'tg' : source}:`;

/** Longer ones are no marks. */
const maxMarkLength = 80;

/** Without the marks at its beginning. */
export function withoutMarks(text: string, source: string): string {
  const mark = new RegExp(`^(?:\\s*${RegExp.escape(opening(source))}[^\\]\\s]{1,${maxMarkLength}}\\])+\\s*`);
  return text.replace(mark, '');
}

/** The same for text that comes in pieces: says nothing as long as it could still be a mark. */
export interface MarkFilter {
  /** What may be shown of all that came so far, beyond what was shown already. */
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
