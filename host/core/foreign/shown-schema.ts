import type { JsonObject, JsonSchema } from '../../api/result.ts';
import { keepWritten } from '../documents/written-numbers.ts';
import { shownLine, shownText } from './shown-text.ts';

/**
 * A form to be shown by a client: titles and descriptions are made safe to show. Names and values are unchanged,
 * because the answer contains them; an invisible one gets a title.
 */
export function shownSchema(schema: JsonSchema): JsonSchema {
  const { properties } = schema;
  if (!isObject(properties)) return schema;
  const fields = Object.entries(properties).map(([name, field]) => [name, shownField(name, field)]);
  return keepWritten(schema, { ...labelled(schema), properties: Object.fromEntries(fields) });
}

function shownField(name: string, field: unknown): unknown {
  if (!isObject(field)) return field;
  const shown = shownChoices(labelled(field));
  const title = shownLine(name);
  if (shown['title'] !== undefined || title === name) return shown;
  return keepWritten(shown, { ...shown, title });
}

function labelled(schema: JsonObject): JsonObject {
  const { title, description, enumNames: names } = schema;
  return keepWritten(schema, {
    ...schema,
    ...(typeof title === 'string' && { title: shownLine(title) }),
    ...(typeof description === 'string' && { description: shownText(description) }),
    ...(Array.isArray(names) && { enumNames: names.map((name) => shownLine(String(name))) }),
  });
}

/** If a value in a list is not safe to show, each gets a title. */
function shownChoices(field: JsonObject): JsonObject {
  const { enum: values, items, ...rest } = field;
  for (const key of ['oneOf', 'anyOf']) {
    const choices = field[key];
    if (Array.isArray(choices)) return keepWritten(field, { ...field, [key]: choices.map(titled) });
  }
  if (isObject(items)) return keepWritten(field, { ...field, items: shownChoices(items) });
  if (!Array.isArray(values) || values.every(isSeen) || field['enumNames'] !== undefined) return field;
  return keepWritten(field, { ...rest, oneOf: values.map((value: unknown) => titled({ const: value })) });
}

function titled(choice: unknown): unknown {
  if (!isObject(choice)) return choice;
  const shown = labelled(choice);
  if (shown['title'] !== undefined) return shown;
  return keepWritten(shown, { ...shown, title: shownLine(String(choice['const'])) });
}

const isSeen = (value: unknown): boolean => shownLine(String(value)) === String(value);

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
