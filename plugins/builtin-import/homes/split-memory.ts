/** Characters of one memory. */
const maxLength = 4_000;

/**
 * The memories in a Markdown file: each list item of the first level and each paragraph, with the headings above it
 * except the title of the file.
 */
export function splitMarkdown(text: string): readonly string[] {
  const found: string[] = [];
  const headings: string[] = [];
  let lines: string[] = [];
  const flush = (): void => {
    const body = lines.join('\n').trim();
    lines = [];
    const above = headings.slice(1).filter(Boolean).join(' › ');
    if (/[\p{L}\p{N}]/u.test(body)) found.push(...pieces(above === '' ? body : `${above}: ${body}`));
  };
  for (const line of text
    .replaceAll('\r\n', '\n')
    .replace(/<!--[^]*?-->/g, '')
    .split('\n')) {
    const [, marks, title] = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line) ?? [];
    const [, item] = /^(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line) ?? [];
    if (marks !== undefined) {
      flush();
      headings.length = Math.min(headings.length, marks.length - 1);
      headings[marks.length - 1] = title!;
    } else if (item !== undefined) {
      flush();
      lines.push(item);
    } else if (line.trim() === '') flush();
    else lines.push(line);
  }
  flush();
  return found;
}

/** The memories in a file of Hermes, which puts a line with "§" between them. */
export const splitSections = (text: string): readonly string[] =>
  text
    .replaceAll('\r\n', '\n')
    .split(/^§$/m)
    .flatMap((part) => pieces(part.trim()))
    .filter((part) => part !== '');

const pieces = (text: string): readonly string[] =>
  text.length <= maxLength
    ? [text]
    : Array.from({ length: Math.ceil(text.length / maxLength) }, (_, at) =>
        text.slice(at * maxLength, (at + 1) * maxLength),
      );
