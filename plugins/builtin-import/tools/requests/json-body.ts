import { toJson } from 'pegboard';
import { parsedJson } from 'pegboard/kit';
import { UnusableRequest, type ExampleBody } from './request-example.ts';

const token = /"(?:[^"\\]|\\.)*"|\/\/[^\r\n]*|\/\*.*?\*\/|\{\{[^{}]*\}\}|\$\{\w+\}/gs;

/** What `{{name}}` without quotes begins with here: a value of any type. */
export const anyType = '\u0001';

/**
 * A body of JSON, in which a `{{name}}` or `${NAME}` outside of quotes is a value of any type, and comments say nothing.
 * Throws UnusableRequest where a value would be pasted into JSON, and could become more than a value.
 */
export function jsonBody(text: string): ExampleBody {
  // All of it is given, as it is sent.
  if (/^\s*(?:\{\{[^{}]*\}\}|\$\{\w+\})\s*$/.test(text)) return { kind: 'text', text };
  const bare = new Set<string>();
  const plain = text.replaceAll(token, (part) => {
    if (part.startsWith('"')) return part;
    if (part.startsWith('/')) return ' ';
    bare.add(part.replaceAll(/\s/g, ''));
    return toJson(part.replace('{{', `{{${anyType}`));
  });
  const both = [...text.matchAll(/"(\{\{[^{}"]*\}\})"/g)].find(([, name]) =>
    bare.has(name!.replaceAll(/\s/g, '')),
  );
  if (both !== undefined)
    throw new UnusableRequest(
      `its JSON has ${both[1]} with and without quotes, as a text and as another value`,
    );
  const json = parsedJson(plain);
  if (json !== undefined && !hasTemplateName(json)) return { kind: 'json', json };
  if (/\{\{|\$\{/.test(text))
    throw new UnusableRequest(
      'its JSON has a {{…}} that stands for more than a value, or the JSON is not valid: a value would be pasted into it',
    );
  return { kind: 'text', text };
}

const hasTemplateName = (json: unknown): boolean =>
  typeof json === 'object' &&
  json !== null &&
  Object.entries(json).some(([name, value]) => /\{\{|\$\{/.test(name) || hasTemplateName(value));
