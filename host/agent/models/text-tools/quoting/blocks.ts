/**
 * The Markdown blocks that lines belong to: list items, quotations, footnotes. A call in one of them is shown, not called.
 * A list item is recognised by a mark that can't begin a sentence, of any kind and script.
 */
import { callMark, shownMark } from './skeleton.ts';

/** Brackets, quotation marks, emoji and sentence ends don't begin an item. */
const bullet = String.raw`[[\p{P}\p{S}:]--[\p{Ps}\p{Pe}\p{Pi}\p{Pf}[\p{Terminal_Punctuation}--:]\p{Emoji_Presentation}"'\`<>#_…¡¿]]{1,3}(?=[ \t]+\S)`;
const digits = String.raw`(?:\p{N}{1,9}(?:\.\p{N}{1,3})*|[一二三四五六七八九十百]{1,4})`;
const end = String.raw`(?=\s|$|${callMark})`;
/** A list item, a numbered line, a reference, a definition. */
const item = new RegExp(
  [
    bullet,
    String.raw`[\-*+•](?=$|${callMark})`,
    String.raw`[\(（]?(?:${digits}|\p{L}|[ivx]{1,5})[.\)．]${end}`,
    String.raw`[\(（]?${digits}[、）]`,
    String.raw`\p{N}{1,9}[ \t]?[:：\]\}\|–—\-]${end}`,
    String.raw`\[\p{N}{1,9}\]|\[[^\]\n]{1,60}\]:${end}`,
    String.raw`\p{No}{1,3}`,
    String.raw`<(?:li|dd|dt)(?:\s[^<>\n]*)?>`,
  ]
    .map((source) => `^(?:${source})`)
    .join('|'),
  'iv',
);
const footnote = /^\[\^[^\]\n]{1,60}\]/;
const quotation = /^>/;
const emptyQuotation = /^[> \t]*$/;
const heading = /^#{1,6}(?:[ \t]|$)/;
const rule = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|={3,}|~{3,})$/;
/** Begins like a sentence, and doesn't end like something unfinished. */
const sentence = new RegExp(
  String.raw`^[*_~\p{Ps}\p{Pi}"'\x60…¡¿${shownMark}\p{M}\p{Cf}\p{Extended_Pictographic} \t]*[\p{L}\p{N}].*(?<![|>({[=+\\&])$`,
  'u',
);

const inList = 'it is in a list';
const inFootnote = 'it is in a footnote';
const inQuotation = 'it is in a quotation';
const belowOther = 'it is indented below a line that is not a sentence';

/** Minimum indent of a line below the block it belongs to: the width of the shortest mark. */
const minIndent = 2;
/** Characters of a line that are examined. */
const maxHeadLength = 300;

/**
 * For each call in order: why its block prevents it from running; undefined when it is in no block. A line directly below
 * a quotation or a footnote continues it; below a list, an unindented call belongs to the reply.
 */
export function blocksAround(said: string): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  const open: { readonly column: number; readonly why: string }[] = [];
  /** The block that the next line continues, whatever its indent. */
  let goesOn: string | undefined;
  let isParagraph = false;
  for (const line of said.split('\n')) {
    const text = line.trim();
    if (text === '') {
      goesOn = undefined;
      isParagraph = false;
      continue;
    }
    const column = columnOf(line);
    const head = text.slice(0, maxHeadLength);
    const opens = opensBlock(head);
    const isCall = head.startsWith(callMark);
    const isTitle = heading.test(head) || rule.test(head) || head === shownMark;
    const continues = isParagraph && opens === undefined && !isTitle && !isCall;
    // A line of a paragraph closes no block.
    if (!continues) while (open.length > 0 && column < open.at(-1)!.column + minIndent) open.pop();
    if (opens !== undefined || isTitle) goesOn = undefined;
    if ((opens === inQuotation && !emptyQuotation.test(head)) || opens === inFootnote) goesOn = opens;
    const above = open.findLast((block) => block.column + minIndent <= column)?.why;
    for (let calls = line.split(callMark).length - 1; calls > 0; calls--)
      found.push(opens ?? goesOn ?? above);
    // A quotation ends at an empty line, so it is not kept open.
    if (opens !== undefined && opens !== inQuotation) open.push({ column, why: opens });
    else if (!continues && !isTitle && !isCall && opens === undefined && !sentence.test(head))
      open.push({ column, why: belowOther });
    isParagraph = !isTitle && !isCall;
  }
  return found;
}

function opensBlock(head: string): string | undefined {
  if (quotation.test(head)) return inQuotation;
  if (footnote.test(head)) return inFootnote;
  return !rule.test(head) && item.test(head) ? inList : undefined;
}

/** The column of the text; tab stops are four columns apart. */
function columnOf(line: string): number {
  let column = 0;
  for (const character of line) {
    if (character === '\t') column += 4 - (column % 4);
    else if (character === ' ') column++;
    else break;
  }
  return column;
}
