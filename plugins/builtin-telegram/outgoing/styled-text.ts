/** A piece of text and its enclosing marks, outermost first. Marks are compared by object identity. */
export interface StyleSpan {
  readonly text: string;
  readonly marks: readonly Mark[];
}

/** The opening and closing form of one of Telegram's HTML tags. */
export interface Mark {
  readonly open: string;
  readonly close: string;
}

export type StyledText = readonly StyleSpan[];

/** Telegram refuses messages that consist only of spaces, format and control characters. */
export const isVisible = (text: string): boolean => /[^\s\p{Cc}\p{Cf}]/u.test(text);

export const plainOf = (text: StyledText): string => text.map((span) => span.text).join('');

/** Telegram's HTML, with properly nested tags. */
export function toHtml(text: StyledText): string {
  let html = '';
  let open: readonly Mark[] = [];
  const change = (next: readonly Mark[]): void => {
    let common = 0;
    while (common < open.length && open[common] === next[common]) common++;
    for (const mark of open.slice(common).toReversed()) html += mark.close;
    for (const mark of next.slice(common)) html += mark.open;
    open = next;
  };
  for (const span of text) {
    if (span.text === '') continue;
    change(span.marks);
    html += escapeHtml(span.text);
  }
  change([]);
  return html;
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
