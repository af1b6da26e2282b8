import type { ManifestParameter } from '../../../formats/tool.ts';
import { firstSentences, plainLine } from '../foreign-text.ts';
import { uniqueParameters } from '../names.ts';
import { isSecretPair, type SecretCollector } from './collect-secrets.ts';
import type { Pair } from './request-example.ts';

/** The parameters of a tool, as the parts of its request add them. */
export interface ParameterList {
  /** `{{name}}` for a value that can be replaced by another. */
  example(name: string, value: unknown, place: string, description?: string): string;
  /** The text with the names of its own `{{name}}` as parameters. */
  template(text: string, place: string): string;
}

/** `variables`: values of `{{name}}` where nobody gives another. */
export function createList(
  parameters: Map<string, ManifestParameter>,
  variables: ReadonlyMap<string, string>,
): ParameterList {
  const nameOf = uniqueParameters();
  const known = new Map<string, string>();
  return {
    example(wanted, value, place, description) {
      const name = nameOf(wanted, place);
      const said = firstSentences(plainLine(description), 200) || `${plainLine(wanted)}, in the ${place}`;
      parameters.set(name, { name, ...typeOf(value), description: said, default: value });
      return `{{${name}}}`;
    },
    template(text, place) {
      return text.replaceAll(/\{\{\s*(.*?)\s*\}\}/g, (_, wanted: string) => {
        const name = known.get(wanted) ?? nameOf(wanted, place);
        if (!known.has(wanted)) {
          const value = variables.get(wanted);
          const description = `${plainLine(wanted)}, in the ${place}`;
          parameters.set(name, {
            name,
            type: 'string',
            description,
            ...(value === undefined || value === '' ? { required: true } : { default: value }),
          });
        }
        known.set(wanted, name);
        return `{{${name}}}`;
      });
    },
  };
}

function typeOf(value: unknown): Pick<ManifestParameter, 'type' | 'items'> {
  if (Array.isArray(value)) {
    const types = new Set(value.map((item) => typeOf(item).type));
    const [type] = types;
    return { type: 'array', items: types.size === 1 && type !== 'array' ? { type } : {} };
  }
  switch (typeof value) {
    case 'number':
      return { type: Number.isInteger(value) ? 'integer' : 'number' };
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
    if (!isList) return [name, valueOf(first!, place, list, secrets)] as const;
    return [
      name,
      list.example(
        name,
        same.map(({ value }) => value),
        place,
        first!.description,
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
  return list.example(name, plainValue(value), place, description);
}

/** "10" → 10: what a query holds is text, and what a number is meant to be is a number. */
function plainValue(value: string): unknown {
  if (/^-?(?:0|[1-9]\d{0,14})$/.test(value)) return Number(value);
  return value === 'true' || value === 'false' ? value === 'true' : value;
}
