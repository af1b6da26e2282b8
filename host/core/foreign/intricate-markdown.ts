/** Maximum number of emphasis and link markers in one paragraph, item or cell. Parsers need quadratic time for them. */
const maxMarks = 500;
/** Maximum nested lists and quotes opened on one line. */
const maxDepth = 16;
/** Maximum indentation of an item. Nested lists need two or more columns each. */
const maxIndented = 60;
/** Maximum lines without an empty line in between. */
const maxLines = 2_000;
const maxEmptyLines = 200;

const marks = /[*_~`<[(\\]/g;
const containers = /^(?:[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+/;
const container = />|[-*+]|\d{1,9}[.)]/g;
/** What begins a new block. */
const startsPart = /^\s*(?:[>|#]|[-*+][ \t]|\d{1,9}[.)][ \t])/;

/**
 * Whether a Markdown parser would take long for this or overflow its stack. No text written for readers does; such text
 * is shown as source. Code blocks may contain anything.
 */
export function isIntricateMarkdown(text: string): boolean {
  // Within HTML, fences have no meaning.
  const hasFences = !/^[ \t]*<[a-z/!?]/im.test(text);
  let fence: string | undefined;
  let found = 0;
  let lines = 0;
  let emptyLines = 0;
  for (const line of text.split('\n')) {
    const mark = hasFences ? /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[0] : undefined;
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      continue;
    }
    fence = mark;
    const isEmpty = line.trim() === '';
    lines = isEmpty ? 0 : lines + 1;
    emptyLines = isEmpty ? emptyLines + 1 : 0;
    if (isEmpty || startsPart.test(line)) found = 0;
    found += line.match(marks)?.length ?? 0;
    if (found > maxMarks || lines > maxLines || emptyLines > maxEmptyLines) return true;
    const opened = containers.exec(line)?.[0] ?? '';
    if (opened.search(/\S/) > maxIndented || (opened.match(container)?.length ?? 0) > maxDepth) return true;
  }
  return false;
}
