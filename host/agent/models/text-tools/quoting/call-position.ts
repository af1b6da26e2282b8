/**
 * Where a call may be: on lines of its own at the outermost level, or after the end of a sentence. Anything in a comment, a
 * quotation, a table, reasoning, an element that isn't markup of calls, or a code block that models don't write calls in
 * is shown, not called; and words next to a call may say that it is an example, or not to be run.
 */
import { lineBefore } from '../control-tokens.ts';
import { matchAt } from '../format.ts';
import { endOfSpan, type Seek, type Span } from '../seek.ts';

const fence = /(?<=^|\n)[ \t]*(?:`{3,}(?=[^`\n]*(?:\n|$))|~{3,})/;
const element = /<[A-Za-z][\w:.-]*(?:\s[^<>\n]*)?(?<!\/)>/;
const inlineCode = /(?<!`)`{1,2}(?!`)/;
/** Its end, by the length of its mark. A line break first means that it wasn't code. */
const endsOfCode = [/(?<!`)`(?!`)|\n/, /(?<!`)``(?!`)|\n/] as const;
/** Comments and texts of other languages, to the end of the text if not closed. */
const blocks: readonly Span[] = [
  { opening: /<!--/, closing: /-->|$/ },
  { opening: /<!\[CDATA\[/, closing: /\]\]>|$/ },
  { opening: /(?<=^|\n)[ \t]*\/\*/, closing: /\*\/|$/ },
  { opening: /"""/, closing: /"""|$/ },
  { opening: /'''/, closing: /'''|$/ },
  { opening: /\[(?:code|quote)\]/i, closing: /\[\/(?:code|quote)\]|$/ },
  {
    opening: /\\begin\{(?:verbatim|lstlisting|quot\w+)\}/,
    closing: /\\end\{(?:verbatim|lstlisting|quot\w+)\}|$/,
  },
];
/** A quotation, a table row, indented code. `>>>` begins calls of Functionary. */
const quotedLine = /(?<=^|\n)[ \t]*>(?!>>)[^\n]*|(?<=^|\n)[ \t]*\|[^\n]*|(?<=\n)(?: {4}| {0,3}\t)[^\n]*/;

/** Where shown text can begin. */
export const shownOpenings: readonly RegExp[] = [
  fence,
  ...blocks.map(({ opening }) => opening),
  element,
  inlineCode,
  quotedLine,
];

/** Elements whose content is quoted or an example: nothing in them is a call, and no error is reported. */
const quoting =
  /^(?:examples?|code|pre|samp|kbd|blockquote|q|quote|details|table|thead|tbody|tr|t[dh]|textarea|script|style|tool_(?:response|results?|output)s?|function_(?:response|results?|output)s?|observation|results?|output|document|file|context)$/i;
/** Their closing tag may be missing: models make up results to the end of the reply. */
const endless = /^(?:tool|function)_|^observation$/i;
const void_ = /^(?:br|hr|img|input|wbr|p|li)$/i;

/** A span of text that is shown, not called. */
export interface QuotedSpan {
  readonly end: number;
  /** Why a call up to `end` is ambiguous. Absent: nothing up to there is a call. */
  readonly unclear?: string;
}

/** For one text: the quoted or commented span that begins at `at`, if any. */
export function createQuotedSpans(text: string, seek: Seek): (at: number) => QuotedSpan | undefined {
  let ends: Map<string, number[]> | undefined;
  const endOfElement = (name: string, from: number): number | undefined => {
    ends ??= closingTags(text);
    return firstAfter(ends.get(name.toLowerCase()) ?? [], from);
  };
  return (at) => {
    const fenced = matchAt(fence, text, at);
    if (fenced) return { end: seek(closingOf(fenced[0].trim()), at + fenced[0].length)?.end ?? text.length };
    const block = endOfSpan(blocks, text, at, seek);
    if (block !== undefined) return { end: block };
    const line = matchAt(quotedLine, text, at);
    if (line) return { end: at + line[0].length };
    const mark = matchAt(inlineCode, text, at)?.[0].length;
    if (mark !== undefined) {
      const closed = seek(endsOfCode[mark - 1]!, at + mark);
      return closed && text[closed.index] === '`' ? { end: closed.end } : undefined;
    }
    const opened = matchAt(element, text, at);
    if (!opened) return undefined;
    const name = /^<([\w:.-]+)/.exec(opened[0])![1]!;
    if (void_.test(name)) return undefined;
    const from = at + opened[0].length;
    const end = endOfElement(name, from);
    if (quoting.test(name)) {
      if (end !== undefined) return { end };
      if (endless.test(name)) return { end: text.length };
    }
    const isBlock =
      lineBefore(text, at).trim() === '' && /^[ \t]*(?:\n|$)/.test(text.slice(from, from + 200));
    if (end === undefined && !isBlock) return undefined;
    return { end: end ?? text.length, unclear: `it is inside <${name.slice(0, 40)}>` };
  };
}

const closings = new Map<string, RegExp>();

/** A line of the same mark, at least as long, and nothing else. */
function closingOf(mark: string): RegExp {
  let found = closings.get(mark);
  if (!found) {
    found = new RegExp(`(?<=\\n)[ \\t]*\\${mark[0]!}{${mark.length},}[ \\t]*(?=\\r?\\n|$)`);
    // More kinds of fences are not written on purpose.
    if (closings.size < 100) closings.set(mark, found);
  }
  return found;
}

/** Index after each closing tag, by name. */
function closingTags(text: string): Map<string, number[]> {
  const ends = new Map<string, number[]>();
  for (const found of text.matchAll(/<\/([A-Za-z][\w:.-]*)\s*>/g)) {
    const name = found[1]!.toLowerCase();
    const list = ends.get(name) ?? [];
    list.push(found.index + found[0].length);
    ends.set(name, list);
  }
  return ends;
}

function firstAfter(ends: readonly number[], from: number): number | undefined {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle]! > from) high = middle;
    else low = middle + 1;
  }
  return ends[low];
}

/** Whether the markup at `at` is in a quotation, a table or indented code. */
export function isQuoted(text: string, at: number): boolean {
  const before = lineBefore(text, at);
  if (/["'“„”‘‚«‹「『]$/.test(before) || /^[ \t]*(?:\||>(?!>>))| \| /.test(before)) return true;
  const indent = /^[ \t]*/.exec(before + text.slice(at, at + 80))![0];
  const isFirst = text.slice(0, at).trim() === '';
  return !isFirst && before.length <= indent.length && /^(?: {4}| {0,3}\t)/.test(indent);
}

/** Why the markup between `at` and `end` doesn't stand alone. `from`: start of the text before it. */
export function positionProblem(
  text: string,
  { from, at, end }: { readonly from: number; readonly at: number; readonly end: number },
): string | undefined {
  const before = lineBefore(text, at).slice(-Math.max(0, at - from) || Infinity);
  const said = from >= at ? '' : before.trim();
  if (/^[ \t]*\|/.test(text.slice(end, end + 20))) return 'it is in a table';
  const isTag = /^<[A-Za-z]/.test(text.slice(at, at + 2));
  if (isTag && said !== '' && !/^[*_]+$|[.!?:;…。！？：)\]>][*_]*$/.test(said))
    return 'it is inside a sentence';
  return undefined;
}

/** Words that mark a call as an example, or say not to run it, in the most common languages. */
const unsaid = new RegExp(
  [
    String.raw`\b(?:for example|for instance|an? (?:\w+ )?example|examples?:|e\.g\.|such as|sample|hypothetical\w*|suppose|imagine|pretend|illustrat\w*|demonstrat\w*|like (?:this|so)|the (?:format|syntax|schema|template)|placeholder)\b`,
    String.raw`\b(?:do not|don[’']t)\b(?! (?:know|have|see|yet|think|want to guess))|\b(?:never|avoid|must not|mustn[’']t|should not|shouldn[’']t|will not|won[’']t|would not|wouldn[’']t|am not going to|not going to|refuse to|without (?:running|calling)|no need|not needed|unnecessary)\b`,
    String.raw`\b(?:I|you|we|one)(?: would| could| might|[’']d)\b(?! (?:like|love|better|need|also|not find))|\b(?:which|that|this|it) would\b`,
    String.raw`\b(?:would|could|might) (?:look|be|call|run|write|use|have)\b|\blooks? like\b|\b(?:wrong|incorrect|bad|forbidden|dangerous|harmful)(?: \w+)?:`,
    String.raw`\bif you (?:want|like|wish|agree|say so|confirm)|\b(?:shall|should|may) I\b|\bwould you like\b|\bdo you want\b`,
    String.raw`\b(?:previously|earlier|last time)\b|\bI (?:called|sent|used|tried|wrote)\b`,
    String.raw`\b(?:beispiel\w*|z\. ?b\.|niemals|nicht|würde|könnte)\b`,
    String.raw`\b(?:par exemple|exemple|jamais|pourrais?|ne \S+ pas|n[’']\S+ pas)\b`,
    String.raw`\b(?:por ejemplo|ejemplo|nunca|jamás|no (?:hagas|hagan|ejecutes|ejecute|lo|la)|podrías?|exemplo|não|per esempio|esempio|non|mai)\b`,
    String.raw`например|пример|никогда|(?<!\p{L})не(?!\p{L})`,
    String.raw`例如|比如|示例|不要|不会|别|请勿|例えば|しないで|しません|예를 들어|하지 마`,
  ].join('|'),
  'iu',
);
/** Introduces a quotation. */
const reported = /\b(?:said|says?|wrote|writes|quot\w+)\b[^\n]{0,80}[:：]$/i;
/** Characters before and after a call that are examined. */
const near = 300;

/**
 * Whether the words before or after a call say that it is an example, or not to be run. An extra check in some languages:
 * the position of a call decides.
 */
export function isUnsaid(before: string, after: string): boolean {
  const lead = before
    .trimEnd()
    .slice(-near)
    .split(/\n[ \t]*\n/)
    .at(-1)!;
  const rest = after
    .trimStart()
    .slice(0, near)
    .split(/\n[ \t]*\n/, 1)[0]!;
  return unsaid.test(lead) || reported.test(lead) || unsaid.test(rest);
}
