import type { JsonObject, JsonSchema } from '../../api/result.ts';
import { mergeWritten, toJson } from '../../core/documents/written-numbers.ts';
import { validatorOf } from '../../core/documents/schema.ts';
import { keepNumber, propertiesOf, requiredOf, toValue, toValues, typesOf } from '../values.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { choose, type MenuItem } from './choose.ts';
import { showForm, type FormPlace } from './show-form.ts';

/**
 * Asks for the values that `schema` requires and `given` lacks: the required properties one by one, then the optional
 * ones that the person selects. Undefined when the person cancels.
 */
export async function fillIn(
  schema: JsonSchema,
  given: JsonObject,
  place: FormPlace,
): Promise<JsonObject | undefined> {
  let values = given;
  const open = Object.keys(propertiesOf(schema)).filter((name) => !(name in given));
  const required = open.filter((name) => requiredOf(schema).includes(name));
  const askAll = async (names: readonly string[] | undefined): Promise<boolean> => {
    for (const name of names ?? []) {
      const answer = await askField(name, schema, place);
      if (answer === cancelled) return false;
      values = mergeWritten(values, answer);
    }
    return names !== undefined;
  };
  const optional = open.filter((name) => !required.includes(name));
  const done = (await askAll(required)) && (await askAll(await chooseOptional(optional, schema, place)));
  return done ? values : undefined;
}

const cancelled = Symbol('cancelled');

async function chooseOptional(
  names: readonly string[],
  schema: JsonSchema,
  place: FormPlace,
): Promise<readonly string[] | undefined> {
  if (names.length === 0) return [];
  const properties = propertiesOf(schema);
  return await showForm(place, ({ multiselect }, streams) =>
    multiselect({
      ...streams,
      message: 'Set anything else? (Space selects, Enter continues)',
      options: names.map((name) => ({
        value: name,
        label: shownLine(name),
        hint: hintOf(properties[name]!),
      })),
      required: false,
      maxItems: 8,
    }),
  );
}

/** The property with its value; none when an optional one was left empty. */
async function askField(
  name: string,
  root: JsonSchema,
  place: FormPlace,
): Promise<JsonObject | typeof cancelled> {
  const schema = propertiesOf(root)[name]!;
  const required = requiredOf(root).includes(name);
  const message = [shownLine(name), hintOf(schema)].filter(Boolean).join(': ');
  const { default: preset } = schema;
  const choices = choicesOf(schema, root);
  if (choices) {
    const start = choices.findIndex(({ value }) => value === (preset ?? choices[0]?.value));
    const answer = await choose(message, choices, place, Math.max(0, start));
    return answer ? { [name]: answer.value } : cancelled;
  }
  const initialValue = presetOf(schema);
  const answer = await showForm(place, ({ text }, streams) =>
    text({
      ...streams,
      message,
      ...(initialValue !== undefined && { initialValue }),
      placeholder: placeholderOf(schema, root, required),
      validate: (entered) => problemWith(entered ?? '', name, schema, root, required),
    }),
  );
  if (answer === undefined) return cancelled;
  if (answer === '' && !required) return {};
  return propertyOf(answer, name, schema, root);
}

function propertyOf(entered: string, name: string, schema: JsonSchema, root: JsonSchema): JsonObject {
  const property = { [name]: read(entered, schema, root) };
  keepNumber(property, name, entered);
  return property;
}

/** The cursor starts at the first unless there is a default. */
function choicesOf(schema: JsonSchema, root: JsonSchema): MenuItem<unknown>[] | undefined {
  const alternatives = schema['oneOf'] ?? schema['anyOf'];
  const titled = Array.isArray(alternatives) ? (alternatives as readonly JsonSchema[]) : [];
  if (titled.length > 0 && titled.every((choice) => choice?.['const'] !== undefined)) {
    return titled.map((choice) => ({
      value: choice['const'],
      label: shownLine(textOf(choice['title'] ?? choice['const'])),
    }));
  }
  const values = schema['enum'];
  if (Array.isArray(values))
    return values.map((value: unknown) => ({ value, label: shownLine(textOf(value)) }));
  const types = typesOf(schema, root);
  return types.length === 1 && types[0] === 'boolean'
    ? [
        { key: 'n', value: false, label: 'no' },
        { key: 'y', value: true, label: 'yes' },
      ]
    : undefined;
}

async function problemWith(
  entered: string,
  name: string,
  schema: JsonSchema,
  root: JsonSchema,
  required: boolean,
): Promise<string | undefined> {
  if (entered === '' && !required) return undefined;
  if (entered === '' && !typesOf(schema, root).includes('string')) return `${name} is required`;
  const { $defs, definitions } = root;
  const validate = await validatorOf({
    type: 'object',
    properties: { [name]: schema },
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  });
  const [problem] = validate(propertyOf(entered, name, schema, root));
  return problem?.message;
}

/** A list is entered as JSON or, simpler, with commas. */
function read(entered: string, schema: JsonSchema, root: JsonSchema): unknown {
  const isList = typesOf(schema, root)[0] === 'array';
  if (!isList || entered.trimStart().startsWith('[')) return toValue(entered, schema, root);
  const items = schema['items'] as JsonSchema | undefined;
  return toValues(
    entered.split(',').map((item) => item.trim()),
    items,
    root,
  );
}

/** The initial text of the field. Empty where the person couldn't see what they would send. */
function presetOf({ default: preset }: JsonSchema): string | undefined {
  const text = preset === undefined ? undefined : textOf(preset);
  return text === undefined || shownLine(text) !== text.trim() ? undefined : text;
}

function placeholderOf(schema: JsonSchema, root: JsonSchema, required: boolean): string {
  const type = typesOf(schema, root).join(' or ') || 'anything';
  const form = type === 'array' ? 'a, b, c' : type === 'object' ? '{"key": "value"}' : type;
  return required ? form : `${form}, optional`;
}

function hintOf(schema: JsonSchema): string {
  return shownLine(textOf(schema['description'] ?? schema['title'] ?? ''));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (toJson(value) ?? '');
}
