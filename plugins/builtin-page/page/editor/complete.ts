import type { JsonSchema } from 'pegboard/browser';

interface Offer {
  readonly label: string;
  /** What is put in its place. */
  readonly insert: string;
  readonly about?: string;
}

export interface Offers {
  /** Where the word begins that they would replace. */
  readonly from: number;
  readonly offers: readonly Offer[];
}

/** A step down a document: a key, or into an item of a list. */
type Step = string | typeof item;
const item = Symbol('item');

const keyLine = /^(\s*)((?:- +)*)([\w-]+):(?:\s|$)/;

/**
 * The keys that may stand at the end of `before`, a beginning of YAML, or the values of the key before it, as the schema
 * names them. `hasFence`: it begins with the line that opens front matter.
 */
export function offersAt(before: string, schema: JsonSchema, hasFence: boolean): Offers | undefined {
  const lines = before.split('\n');
  if (hasFence && (!/^---\s*$/.test(lines.shift() ?? '') || lines.some((line) => /^---\s*$/.test(line))))
    return undefined;
  const last = lines.pop() ?? '';
  const value = /^(\s*(?:- +)*)([\w-]+):\s+["']?([\w./-]*)$/.exec(last);
  if (value) {
    const [, lead = '', key = '', word = ''] = value;
    const { steps } = placeOf(lines, lead);
    return answer(before.length - word.length, valuesOf(schemaAt(schema, [...steps, key])));
  }
  const [, lead, word = ''] = /^(\s*(?:- +)*)([\w-]*)$/.exec(last) ?? [];
  if (lead === undefined) return undefined;
  const { steps, siblings } = placeOf(lines, lead);
  const keys = keysOf(schemaAt(schema, steps)).filter(({ label }) => !siblings.has(label));
  return answer(before.length - word.length, keys);
}

const answer = (from: number, offers: readonly Offer[]): Offers | undefined =>
  offers.length > 0 ? { from, offers } : undefined;

/** Which part of the document a line with this beginning belongs to, and the keys that are there already. */
function placeOf(
  above: readonly string[],
  lead: string,
): { readonly steps: readonly Step[]; readonly siblings: ReadonlySet<string> } {
  const steps: Step[] = [];
  const siblings = new Set<string>();
  /** Columns: of the keys of this part, and of what may hold it. */
  let column = lead.length;
  let holder = column;
  let isOwn = true;
  const enterItem = (dash: number): void => {
    steps.unshift(item);
    // A list may begin at the column of its key.
    [column, holder, isOwn] = [-1, dash + 1, false];
  };
  const ownDash = lead.lastIndexOf('-');
  if (ownDash >= 0) enterItem(ownDash);
  for (const line of above.toReversed()) {
    const [, indent = '', dashes = '', key] = keyLine.exec(line) ?? [];
    if (key === undefined) continue;
    const at = indent.length + dashes.length;
    if (at === column) {
      if (isOwn) siblings.add(key);
      if (dashes !== '') enterItem(indent.length + dashes.lastIndexOf('-'));
    } else if (at < holder) {
      steps.unshift(key);
      [column, holder, isOwn] = [at, at, false];
      if (dashes !== '') enterItem(indent.length + dashes.lastIndexOf('-'));
    }
  }
  return { steps, siblings };
}

/** Every schema that may hold there. */
function schemaAt(schema: JsonSchema, steps: readonly Step[]): readonly JsonSchema[] {
  let at = variantsOf(schema);
  for (const step of steps) at = at.flatMap((one) => variantsOf(childOf(one, step)));
  return at;
}

function childOf(schema: JsonSchema, step: Step): unknown {
  if (step === item) return schema['items'];
  const properties = (schema['properties'] ?? {}) as { readonly [key: string]: unknown };
  return Object.hasOwn(properties, step) ? properties[step] : schema['additionalProperties'];
}

function variantsOf(schema: unknown): readonly JsonSchema[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { anyOf, oneOf } = schema as { readonly anyOf?: unknown[]; readonly oneOf?: unknown[] };
  return [schema as JsonSchema, ...[...(anyOf ?? []), ...(oneOf ?? [])].flatMap(variantsOf)];
}

function keysOf(schemas: readonly JsonSchema[]): readonly Offer[] {
  return schemas.flatMap((schema) =>
    Object.entries((schema['properties'] ?? {}) as { readonly [key: string]: JsonSchema }).map(
      ([label, property]) => ({ label, insert: `${label}: `, ...aboutOf(property) }),
    ),
  );
}

function valuesOf(schemas: readonly JsonSchema[]): readonly Offer[] {
  const values = schemas.flatMap((schema) => {
    if (Array.isArray(schema['enum'])) return schema['enum'] as unknown[];
    if ('const' in schema) return [schema['const']];
    if (schema['type'] === 'boolean') return [true, false];
    return [schema['default'], ...((schema['examples'] ?? []) as unknown[])];
  });
  const words = values.filter((value) => ['string', 'number', 'boolean'].includes(typeof value)).map(String);
  return [...new Set(words)].map((label) => ({ label, insert: label }));
}

const aboutOf = ({ description }: JsonSchema): Pick<Offer, 'about'> =>
  typeof description === 'string' ? { about: description } : {};
