import type { ProseStyle } from '../style.ts';
import type { Language } from './languages.ts';

/** Longer code, and longer lines, stay as they are: a model may write anything. */
const maxCodeLength = 100_000;
const maxLineLength = 1_000;
/** Microseconds of work, after which the remaining lines stay as they are. Some parsers take quadratic time. */
const maxWork = 100_000;
/** Parsers may return nothing a few times before they go on. */
const maxEmptyTokens = 10;
const indentUnit = 4;

type Look = keyof ProseStyle;

/** What parsers call the parts of code. All others look like the text. */
const tags: { readonly [look in Look]?: string } = {
  quiet: 'comment lineComment blockComment docComment',
  keyword: 'keyword controlKeyword moduleKeyword modifier qualifier self meta processingInstruction',
  string: 'string string-2 character regexp quote',
  number: 'number integer float bool atom null',
  type: 'type typeName className namespace builtin variableName.standard tag tagName',
  property: 'attribute attributeName property propertyName',
  good: 'inserted',
  bad: 'deleted',
};
const lookByTag: ReadonlyMap<string, Look> = new Map(
  Object.entries(tags).flatMap(([look, names]) => names.split(' ').map((tag) => [tag, look as Look])),
);

/** The lines of `code` with colours. Without a language, and where its parser fails, all of it has the colour of code. */
export function paintCode(code: string, language: Language | undefined, style: ProseStyle): string[] {
  const lines = code.split('\n');
  const plain = (): string[] => lines.map(style.code);
  if (!language || code.length > maxCodeLength) return plain();
  try {
    const state = language.parser.startState?.(indentUnit) ?? {};
    const before = process.threadCpuUsage();
    return lines.map((line) =>
      line.length > maxLineLength || process.threadCpuUsage(before).user > maxWork
        ? line
        : paintLine(line, language, state, style),
    );
  } catch {
    return plain();
  }
}

function paintLine(line: string, { parser, Line }: Language, state: unknown, style: ProseStyle): string {
  if (line === '') parser.blankLine?.(state, indentUnit);
  const stream = new Line(line, indentUnit, indentUnit);
  let painted = '';
  let pending = { look: undefined as Look | undefined, text: '' };
  const flush = (): void => void (painted += pending.look ? style[pending.look](pending.text) : pending.text);
  let empty = 0;
  while (!stream.eol()) {
    stream.start = stream.pos;
    const look = lookOf(parser.token(stream, state));
    const text = stream.current();
    if (text === '' && ++empty > maxEmptyTokens) return line;
    if (text !== '') empty = 0;
    if (look === pending.look) pending.text += text;
    else {
      flush();
      pending = { look, text };
    }
  }
  flush();
  return painted;
}

/** "keyword", "string.special", "variableName.definition error" */
function lookOf(tags: string | null): Look | undefined {
  for (const tag of tags?.split(' ') ?? []) {
    const look = lookByTag.get(tag) ?? lookByTag.get(tag.split('.', 1)[0]!);
    if (look) return look;
  }
  return undefined;
}
