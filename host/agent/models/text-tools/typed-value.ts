import type { JsonSchema } from '../../../api/result.ts';
import type { Tools } from './format.ts';
import { parseLenient } from './lenient-json.ts';

/** What a text between tags stands for: text when the parameter is one, else the JSON that it is. */
export function typedValue(text: string, schema: JsonSchema | undefined): unknown {
  const type = schema?.['type'];
  if (type === 'string') return text;
  const parsed = parseLenient(text.trim());
  if (parsed === undefined) return text;
  // Of a parameter that nothing is known about, a text in quotes is more likely meant with them.
  return type === undefined && typeof parsed === 'string' ? text : parsed;
}

/** Arguments in tags as JSON text. */
export function toArgumentsText(
  name: string,
  parameters: readonly { readonly key: string; readonly text: string }[],
  tools: Tools,
): string {
  const properties = tools.properties(name);
  const entries = parameters.map(({ key, text }) => [key, typedValue(text, properties?.[key])]);
  return JSON.stringify(Object.fromEntries(entries));
}
