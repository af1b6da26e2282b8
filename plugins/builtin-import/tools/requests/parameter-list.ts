import { isExact, toJson } from 'pegboard';
import { hasRoundedNumber, type ManifestParameter, parsedJson, writtenNumber } from 'pegboard/kit';
import { firstSentences, plainLine } from '../foreign-text.ts';
import { uniqueParameters } from '../names.ts';
import { isSecretPair, type SecretCollector } from './collect-secrets.ts';
import { anyType } from './json-body.ts';
import { decodeText } from './read-form.ts';
import { UnusableRequest, type Pair } from './request-example.ts';

/** The parameters of a tool, as the parts of its request add them. */
export interface ParameterList {
  /** `{{name}}` for a value that can be replaced by another: the default, unless a file can't hold it as it was written. */
  example(name: string, value: unknown, place: string, said?: Said): string;
  /** `{{name}}` for a value that has to be given, of the type of this one. */
  given(name: string, value: unknown, place: string, said?: Said): string;
  /** The text with the names of its own `{{name}}` as parameters. */
  template(text: string, place: string): string;
}

interface Said {
  readonly description?: string | undefined;
  /** How the value was written, if it is a number that JavaScript writes differently. */
  readonly written?: string | undefined;
}

/** Whether a number is, or a value has one, that JavaScript can't keep as it was written. */
export const isRounded = (value: unknown, written: string | undefined): boolean =>
  typeof value === 'number' ? written !== undefined && !isExact(written) : hasRoundedNumber(value);

/** Characters of a value in a description. */
const maxShown = 80;

/** `variables`: values of `{{name}}` where nobody gives another. */
export function createList(
  parameters: Map<string, ManifestParameter>,
  variables: ReadonlyMap<string, string>,
): ParameterList {
  const nameOf = uniqueParameters();
  const known = new Map<string, string>();
  const add = (
    wanted: string,
    value: unknown,
    place: string,
    said: string | undefined,
    more: Partial<ManifestParameter>,
  ): string => {
    const name = nameOf(wanted, place);
    const description = firstSentences(plainLine(said), 200) || `${plainLine(wanted)}, in the ${place}`;
    parameters.set(name, { name, ...typeOf(value), description, ...more });
    return `{{${name}}}`;
  };
  return {
    example(wanted, value, place, { description, written } = {}) {
      if (!isRounded(value, written))
        return add(wanted, value, place, description, { ...typeOf(value, written), default: value });
      const sample = `such as ${(written ?? toJson(value)).slice(0, maxShown)}`;
      const said = `${plainLine(description) || `${plainLine(wanted)}, in the ${place}`}, ${sample}`;
      return add(wanted, value, place, said, { required: true });
    },
    given: (wanted, value, place, { description } = {}) =>
      add(wanted, value, place, description, { required: true }),
    template(text, place) {
      return text.replaceAll(/\{\{(\u0001?)\s*(.*?)\s*\}\}/g, (_, mark: string, wanted: string) => {
        const written = valueIn(place, variables.get(wanted));
        // A value that an address has in another way than a body is the default of another parameter.
        const key = toJson([wanted, written]);
        const name = known.get(key) ?? nameOf(wanted, place);
        if (!known.has(key) || mark === anyType) {
          const value = mark === anyType ? parsedJson(written ?? '') : written;
          const description = wanted.startsWith('$')
            ? `${plainLine(wanted)}, in the ${place}: Postman makes a new one each time`
            : `${plainLine(wanted)}, in the ${place}`;
          parameters.set(name, {
            name,
            ...(mark === anyType && value === undefined ? { type: dynamicType(wanted) } : typeOf(value)),
            description,
            ...(value === undefined || value === '' ? { required: true } : { default: value }),
          });
        }
        known.set(key, name);
        return `{{${name}}}`;
      });
    },
  };
}

/** What the value of a variable says, which is put into an address as it is written: "a%20b" are two words there. */
const valueIn = (place: string, value: string | undefined): string | undefined =>
  value === undefined || (place !== 'path' && place !== 'query')
    ? value
    : (decodeText(value, place === 'query' ? ' ' : '+') ?? value);

/** Of a `{{name}}` without quotes whose value nobody knows: mostly a number. */
const dynamicType = (name: string): 'boolean' | 'number' =>
  name === '$randomBoolean' ? 'boolean' : 'number';

/** `written`: how a number was written. "10.0" is an example of a price, not of a count. */
function typeOf(value: unknown, written?: string): Pick<ManifestParameter, 'type' | 'items'> {
  if (Array.isArray(value)) {
    const types = new Set(value.map((item, index) => typeOf(item, writtenNumber(value, index)).type));
    const [type] = types;
    return { type: 'array', items: types.size === 1 && type !== 'array' ? { type } : {} };
  }
  switch (typeof value) {
    case 'number':
      return { type: Number.isInteger(value) && !/[.eE]/.test(written ?? '') ? 'integer' : 'number' };
    case 'boolean':
      return { type: 'boolean' };
    case 'object':
      return { type: 'object' };
    default:
      return { type: 'string' };
  }
}

/** The texts of a query or form by name. A name that comes several times is a list. */
export function entriesOf(
  pairs: readonly Pair[],
  place: string,
  list: ParameterList,
  secrets: SecretCollector,
): { readonly [name: string]: string } {
  const entries = [...Map.groupBy(pairs, ({ name }) => name)].map(([name, same]) => {
    const [first] = same;
    const isList =
      same.length > 1 && same.every(({ value }) => !/\{\{|\$\{/.test(value) && !isSecretPair(name, value));
    if (!isList && same.length > 1)
      throw new UnusableRequest(
        `its ${place} has ${plainLine(name)} several times, and one of them is a secret or has a {{…}}`,
      );
    if (!isList) return [name, valueOf(first!, place, list, secrets)] as const;
    return [
      name,
      list.example(
        name,
        same.map(({ value }) => value),
        place,
        { description: first!.description },
      ),
    ] as const;
  });
  return Object.fromEntries(entries);
}

/** A value of a query or form. */
function valueOf(
  { name, value, description }: Pair,
  place: string,
  list: ParameterList,
  secrets: SecretCollector,
): string {
  if (value.includes('{{') || value.includes('${')) return list.template(value, place);
  if (isSecretPair(name, value)) return secrets.take(name, value, `${plainLine(name)} of the ${place}`);
  return list.example(name, plainValue(value), place, { description });
}

/** "10" → 10: what a query holds is text, and what a number is meant to be is a number. */
function plainValue(value: string): unknown {
  if (/^(?:0|-?[1-9]\d{0,14})$/.test(value)) return Number(value);
  return value === 'true' || value === 'false' ? value === 'true' : value;
}
