import { isIntricateMarkdown } from '../../../core/foreign/intricate-markdown.ts';

/** Marks that open and close a style within a paragraph. */
const marks = ['**', '__', '~~'] as const;

/** A mark at the end that nothing follows yet, or a link whose URL isn't complete. */
const openEnd = /(?:\*{1,3}|_{1,3}|~~|`|!?\[[^\]\n]*\]?|!?\[[^\]\n]*\]\([^)\s]*)$/;

/**
 * Completes text that was cut off: marks that are open in its last paragraph are closed, and one that nothing follows yet
 * is left out. Code blocks stay as they are.
 */
export function closeInline(text: string): string {
  if (inFence(text) || isIntricateMarkdown(text)) return text;
  const start = text.lastIndexOf('\n\n') + 1;
  const head = text.slice(0, start);
  const paragraph = text.slice(start).replace(openEnd, (open) => /\[([^\]]*)/.exec(open)?.[1] ?? '');
  if (count(paragraph, '`') % 2 === 1) return `${head}${paragraph}\``;
  const prose = paragraph.replace(/`[^`]*`/g, '');
  const closing = marks.filter((mark) => count(prose, mark) % 2 === 1);
  return closing.length === 0 ? head + paragraph : head + paragraph.trimEnd() + closing.toReversed().join('');
}

function inFence(text: string): boolean {
  let fence: string | undefined;
  for (const [, marker] of text.matchAll(/^ {0,3}(`{3,}|~{3,})/gm)) {
    if (fence === undefined) fence = marker!;
    else if (marker!.startsWith(fence)) fence = undefined;
  }
  return fence !== undefined;
}

const count = (text: string, mark: string): number => text.split(mark).length - 1;
