/**
 * The blocks of Markdown that lines belong to: an item of a list, a quotation, a footnote. A call in one of them is shown
 * there, not said. An item is known by what opens no sentence, so that it may have a mark of any kind and script.
 */
import { callMark, shownMark } from './skeleton.ts';

/** Brackets, quotation marks, pictures, and what ends a sentence open no item. */
const bullet = String.raw`[[\p{P}\p{S}:]--[\p{Ps}\p{Pe}\p{Pi}\p{Pf}[\p{Terminal_Punctuation}--:]\p{Emoji_Presentation}"'\`<>#_…¡¿]]{1,3}(?=[ \t]+\S)`;
const digits = String.raw`(?:\p{N}{1,9}(?:\.\p{N}{1,3})*|[一二三四五六七八九十百]{1,4})`;
const end = String.raw`(?=\s|$|${callMark})`;
/** An item of a list, a numbered line, an entry of sources, a definition. */
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
/** It begins as a sentence does, and doesn't end as something that goes on. */
const sentence = new RegExp(
  String.raw`^[*_~\p{Ps}\p{Pi}"'\x60…¡¿${shownMark}\p{M}\p{Cf}\p{Extended_Pictographic} \t]*[\p{L}\p{N}].*(?<![|>({[=+\\&])$`,
  'u',
);

const inList = 'it stands in a list';
const inFootnote = 'it stands in a footnote';
const inQuotation = 'it stands in a quotation';
const belowOther = 'it is indented below a line that is no sentence';

/** What an indented line belongs to is so much further left: the marks of items are at least as wide. */
const minIndent = 2;
/** Characters of a line that tell what it is. */
const maxHeadLength = 300;

/**
 * For each call of what is said, in order: why the block that it stands in keeps it from running; undefined where it
 * stands in none. A line directly below a quotation or a footnote goes on with it; below a list, a call at the margin is
 * the reply's.
 */
export function blocksAround(said: string): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  const open: { readonly column: number; readonly why: string }[] = [];
  /** The block that the next line goes on with, wherever it begins. */
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
    // Within a paragraph a line closes nothing.
    if (!continues) while (open.length > 0 && column < open.at(-1)!.column + minIndent) open.pop();
    if (opens !== undefined || isTitle) goesOn = undefined;
    if ((opens === inQuotation && !emptyQuotation.test(head)) || opens === inFootnote) goesOn = opens;
    const above = open.findLast((block) => block.column + minIndent <= column)?.why;
    for (let calls = line.split(callMark).length - 1; calls > 0; calls--)
      found.push(opens ?? goesOn ?? above);
    // After the empty line that ends it, nothing belongs to a quotation.
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

/** Where its text begins; a tab goes on to the next fourth column. */
function columnOf(line: string): number {
  let column = 0;
  for (const character of line) {
    if (character === '\t') column += 4 - (column % 4);
    else if (character === ' ') column++;
    else break;
  }
  return column;
}
