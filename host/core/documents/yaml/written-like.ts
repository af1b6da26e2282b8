import type { Document } from 'yaml';

/** The document as text, with the line ends and the byte order mark of the text that it was read from. */
export function writtenLike(before: string, document: Document): string {
  const text = document.toString({ lineWidth: 0 });
  const mark = before.startsWith('\uFEFF') && !text.startsWith('\uFEFF') ? '\uFEFF' : '';
  return mark + (before.includes('\r\n') ? text.replaceAll(/\r?\n/g, '\r\n') : text);
}
