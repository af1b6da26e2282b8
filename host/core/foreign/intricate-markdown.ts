/** Marks of looks and links that one paragraph, item or cell may hold; parsers take time by their square. */
const maxMarks = 500;
/** Lists and quotations in one another, all opened on one line. */
const maxDepth = 16;
/** Columns that an item may be indented by: lists in one another need two or more each. */
const maxIndented = 60;
/** Lines without an empty one between them. */
const maxLines = 2_000;
const maxEmptyLines = 200;

const marks = /[*_~`<[(\\]/g;
const containers = /^(?:[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+/;
const container = />|[-*+]|\d{1,9}[.)]/g;
/** What a line begins with that is a part of its own. */
const startsPart = /^\s*(?:[>|#]|[-*+][ \t]|\d{1,9}[.)][ \t])/;

/**
 * Would a Markdown parser take long for this, or overflow its stack? No text that was written to be read is like this;
 * it is shown as it is written. Code blocks may hold anything.
 */
export function isIntricateMarkdown(text: string): boolean {
  // Within HTML a fence is none.
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
