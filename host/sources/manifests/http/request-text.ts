import { nearest } from '../../../core/documents/nearest.ts';

/** A part of a text of a request: written in the manifest, where `${NAME}` is filled in later, or the value of a parameter. */
type Part = { readonly literal: string } | { readonly parameter: string };
export type RequestText = readonly Part[];

/** A request that can't be loaded. `pointer` is relative to `http`. */
export class RequestRefusal extends Error {
  readonly pointer: string;
  readonly code: string;
  readonly hint: string | undefined;

  constructor(pointer: string, code: string, message: string, hint?: string) {
    super(message);
    this.name = 'RequestRefusal';
    this.pointer = pointer;
    this.code = code;
    this.hint = hint;
  }
}

const expression = /\{\{(.*?)\}\}/gs;

/** Throws RequestRefusal for anything in {{ }} but the name of one of `parameters`. */
export function parseRequestText(
  written: string,
  pointer: string,
  parameters: ReadonlySet<string>,
): RequestText {
  const parts: Part[] = [];
  let end = 0;
  const addLiteral = (literal: string): void => {
    if (literal.includes('{{'))
      throw new RequestRefusal(pointer, 'template-syntax', 'a {{ is not closed by }}');
    if (literal !== '') parts.push({ literal });
  };
  for (const match of written.matchAll(expression)) {
    addLiteral(written.slice(end, match.index));
    const name = match[1]!.trim();
    if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name))
      throw new RequestRefusal(
        pointer,
        'not-a-name',
        `${match[0]} is not the name of a parameter: blocks and helpers are for commands`,
      );
    if (!parameters.has(name)) {
      const [near] = nearest(name, parameters);
      const hint = near === undefined ? 'declare it under "parameters"' : `${name} → ${near}?`;
      throw new RequestRefusal(pointer, 'unknown-parameter', `there is no parameter "${name}"`, hint);
    }
    parts.push({ parameter: name });
    end = match.index + match[0].length;
  }
  addLiteral(written.slice(end));
  return parts;
}

/** The parameter whose value the whole text is, with its type. */
export const wholeParameter = (text: RequestText): string | undefined => {
  const [only, ...more] = text;
  return only && 'parameter' in only && more.length === 0 ? only.parameter : undefined;
};

export const parametersIn = (text: RequestText): readonly string[] =>
  text.flatMap((part) => ('parameter' in part ? [part.parameter] : []));
