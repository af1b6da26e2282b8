import type { JsonSchema } from '../../api/result.ts';
import type { WhyUnset } from '../secrets/why-unset.ts';
import { checkDocument } from './check-document.ts';
import type { DocumentProblem, SourceDocument } from './document.ts';
import { hasReference, interpolate, referenceHint, referencePattern } from './interpolate.ts';
import { pointerTo } from './pointer.ts';
import { pegboard } from '../own-command.ts';

/** A text of the document in which `${NAME}` was replaced. */
interface Filled {
  readonly written: string;
  readonly text: string;
  /** Variables that are unset and have no default. */
  readonly missing: readonly string[];
}

export interface FilledDocument {
  /** With all variables filled in that are set or have a default. */
  readonly document: SourceDocument;
  readonly problems: readonly DocumentProblem[];
}

export interface FillOptions {
  /** Pointers of parts that are not interpolated. */
  readonly except: readonly string[];
  /** Whether an unset variable without a default is an error. With `any`, it may have any value. */
  readonly unset: 'error' | 'anything';
  readonly whyUnset?: WhyUnset | undefined;
}

/**
 * Fills in `${NAME}` and validates the result, so that a variable may stand for a number, a boolean or an enum value.
 * Messages never contain a variable's value, because it may be secret.
 */
export async function checkFilled(
  written: SourceDocument,
  schema: JsonSchema,
  resolve: (name: string) => string | undefined,
  options: FillOptions,
): Promise<FilledDocument> {
  const { except } = options;
  const texts = new Map<string, Filled>();
  let value = mapTexts(written.value, '', except, (text, pointer) => {
    const { text: filledIn, missing } = interpolate(text, resolve);
    if (text.includes('${')) texts.set(pointer, { written: text, text: filledIn, missing });
    return missing.length > 0 ? text : filledIn;
  });
  let found = await checkDocument({ ...written, value }, schema);
  const notText = new Set(
    found.flatMap(({ code, pointer }) => (code === 'wrong-type' || code === 'not-allowed' ? [pointer] : [])),
  );
  if ([...texts.keys()].some((pointer) => notText.has(pointer))) {
    value = mapTexts(value, '', except, (text, pointer) =>
      notText.has(pointer) && isReference(texts.get(pointer)?.written ?? '') ? scalarOf(text) : text,
    );
    found = await checkDocument({ ...written, value }, schema);
  }
  const document = { ...written, value };
  const isOpen = ({ pointer = '' }: DocumentProblem): boolean => {
    const filled = texts.get(pointer);
    return filled !== undefined && (filled.missing.length > 0 || hasReference(filled.text));
  };
  return {
    document,
    problems: [
      ...[...texts].flatMap(([pointer, filled]) => referenceProblems(document, pointer, filled, options)),
      ...found.filter((problem) => !isOpen(problem)).map((problem) => asWritten(problem, texts)),
    ],
  };
}

function mapTexts(
  node: unknown,
  pointer: string,
  except: readonly string[],
  change: (text: string, pointer: string) => unknown,
): unknown {
  if (except.includes(pointer)) return node;
  if (typeof node === 'string') return change(node, pointer);
  if (Array.isArray(node))
    return node.map((item, index) => mapTexts(item, `${pointer}/${index}`, except, change));
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, item]) => [
      key,
      mapTexts(item, pointer + pointerTo(key), except, change),
    ]),
  );
}

const isReference = (text: string): boolean => /^\$\{[^{}]*\}$/.test(text);

function scalarOf(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

function referenceProblems(
  document: SourceDocument,
  pointer: string,
  { written, missing }: Filled,
  { unset, whyUnset }: FillOptions,
): readonly DocumentProblem[] {
  const key = pointer.slice(1).replaceAll('/', '.');
  const at = {
    severity: 'error',
    path: document.path,
    pointer,
    ...document.locate(pointer, 'value'),
  } as const;
  const [odd] = withoutReferences(written).match(/\$\{.{0,30}/s) ?? [];
  if (odd !== undefined)
    return [
      {
        ...at,
        code: 'no-reference',
        message: `${key} has ${JSON.stringify(odd)}, which is not a reference to a variable`,
        hint: referenceHint,
      },
    ];
  if (unset === 'anything') return [];
  return missing.map((name) => ({
    ...at,
    code: 'unset-variable',
    message: `${key} needs \${${name}}, which is not set`,
    hint: whyUnset?.(name) ?? `store it with: ${pegboard} secret set ${name}, or write \${${name}:-default}`,
  }));
}

/** The text without its readable references. */
const withoutReferences = (text: string): string =>
  hasReference(text) ? text.replaceAll(new RegExp(referencePattern, 'g'), '') : text;

function asWritten(problem: DocumentProblem, texts: ReadonlyMap<string, Filled>): DocumentProblem {
  const filled = texts.get(problem.pointer ?? '');
  if (!filled || filled.written === filled.text) return problem;
  const { hint: _hint, ...rest } = problem;
  const quoted = JSON.stringify(filled.text);
  const instead = `the value of ${filled.written}`;
  const message = problem.message.replaceAll(`the text ${quoted}`, instead).replaceAll(quoted, instead);
  return {
    ...rest,
    message: message.includes(filled.text) ? `the value of ${filled.written} does not fit here` : message,
  };
}
