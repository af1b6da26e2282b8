/** A piece of text and its enclosing marks, outermost first. Marks are compared by object identity. */
export interface StyleSpan {
  readonly text: string;
  readonly marks: readonly Mark[];
}

/** One of Telegram's HTML tags, as it is opened and closed. */
export interface Mark {
  readonly open: string;
  readonly close: string;
}

export type StyledText = readonly StyleSpan[];

/** Telegram takes no message of spaces, format and control characters alone. */
export const isVisible = (text: string): boolean => /[^\s\p{Cc}\p{Cf}]/u.test(text);

export const plainOf = (text: StyledText): string => text.map((span) => span.text).join('');

/** Telegram's HTML. Marks are closed in the order in which they were opened, whatever the spans say. */
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
