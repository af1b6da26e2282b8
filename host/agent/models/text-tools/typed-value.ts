import type { JsonSchema } from '../../../api/result.ts';
import { rememberNumber, writtenText } from '../../../core/documents/written-numbers.ts';
import { callOf } from './call-shape.ts';
import type { FoundCall, Tools } from './format.ts';
import { duplicateKeyMessage, firstDuplicate } from './json-reader.ts';
import { parseLenient, type JsonValue } from './lenient-json.ts';

/** The value of a text between tags: a string when the schema says so, else parsed as JSON. */
function typedValue(written: string, schema: JsonSchema | undefined): JsonValue {
  const text = /^\s*<!\[CDATA\[([\s\S]*?)\]\]>\s*$/.exec(written)?.[1] ?? written;
  const type = schema?.['type'];
  const parsed = type === 'string' ? undefined : parseLenient(text.trim());
  // Without a schema, quotes around a text are more likely part of it.
  if (!parsed || (type === undefined && typeof parsed.value === 'string')) return { value: text };
  // A number with too many digits stays a string.
  return parsed.loss !== undefined && typeof parsed.value === 'number' ? { value: text } : parsed;
}

/** A call with its arguments in tags. */
export function callWith(
  name: string,
  parameters: readonly { readonly key: string; readonly text: string }[],
  tools: Tools,
): FoundCall {
  const properties = tools.properties(name);
  const entries = parameters.map(({ key, text }) => [key, typedValue(text, properties?.[key])] as const);
  const duplicate = firstDuplicate(parameters.map(({ key }) => key));
  const loss =
    duplicate === undefined
      ? entries.map(([, value]) => value.loss).find((reason) => reason !== undefined)
      : duplicateKeyMessage(duplicate);
  const value = Object.fromEntries(entries.map(([key, read]) => [key, read.value]));
  for (const [key, read] of entries)
    if (typeof read.value === 'number') rememberNumber(value, key, writtenText(read, 'value'));
  return callOf(name, { value, ...(loss !== undefined && { loss }) });
}
