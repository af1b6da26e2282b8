import { readDocument } from './document.ts';

/** What keeps a text from being read, with its place: "line 3, column 7: …". Undefined for a text without such a mistake. */
export function mistakeIn(text: string, format: 'yaml' | 'json'): string | undefined {
  const [first] = readDocument(text, { path: '', format }).diagnostics;
  if (!first) return undefined;
  const { line, column, message, hint } = first;
  const place = line === undefined ? '' : `line ${line}${column === undefined ? '' : `, column ${column}`}: `;
  // Whoever names the text has said that.
  const what = message.replace(/^this is not (?:JSON|YAML): /, '');
  return `${place}${what}${hint === undefined ? '' : ` (${hint})`}`;
}
