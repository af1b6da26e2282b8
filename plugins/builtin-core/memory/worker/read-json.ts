import { parseJson } from 'pegboard';
import { visibleText } from 'pegboard/channels';

/** The JSON in a model's answer, also in a code fence or between sentences. Throws when there is none. */
export function readJson(text: string): unknown {
  for (const candidate of candidatesIn(text)) {
    try {
      return parseJson(candidate);
    } catch {
      // The next candidate may parse.
    }
  }
  throw new Error(`the model answered no JSON: ${text.slice(0, 200)}`);
}

function* candidatesIn(text: string): Iterable<string> {
  const answer = text.replace(/<think>[^]*?<\/think>/g, '');
  yield answer.trim();
  for (const [, fenced] of answer.matchAll(/```(?:json)?\s*([^]*?)```/g)) yield fenced!;
  for (const [open, close] of [
    ['[', ']'],
    ['{', '}'],
  ] as const) {
    const [from, to] = [answer.indexOf(open), answer.lastIndexOf(close)];
    if (from >= 0 && to > from) yield answer.slice(from, to + 1);
  }
}

/** The objects of an array, bare or as the only value of an object. */
export function objectsIn(value: unknown): readonly { readonly [key: string]: unknown }[] {
  const list = Array.isArray(value) ? value : Object.values(toObject(value)).find(Array.isArray);
  return (list ?? []).filter(
    (item: unknown): item is { readonly [key: string]: unknown } => typeof item === 'object' && item !== null,
  );
}

export const toObject = (value: unknown): { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null ? (value as { readonly [key: string]: unknown }) : {};

/** The text without invisible characters. Undefined if it is not a string or empty. */
export function textIn(value: unknown): string | undefined {
  const text = typeof value === 'string' ? visibleText(value).trim() : '';
  return text === '' ? undefined : text;
}

/** Numbers, also those written as text: 12, "12", "#12". */
export function numbersIn(value: unknown): readonly number[] {
  return (Array.isArray(value) ? value : [value])
    .map((item) => (typeof item === 'string' ? Number(item.replace(/^#/, '')) : item))
    .filter((item): item is number => Number.isInteger(item));
}
