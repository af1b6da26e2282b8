import { toJson } from 'pegboard';
const maxLength = 300;

/** The beginning of a value as JSON, in time that depends on what is shown and not on the value. Pure. */
export function previewOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value.slice(0, maxLength + 1) : beginningOf(value, maxLength + 1);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

function beginningOf(value: unknown, room: number): string {
  if (typeof value === 'string') return toJson(value.slice(0, room));
  if (typeof value !== 'object' || value === null) return String(value);
  const isArray = Array.isArray(value);
  let text = isArray ? '[' : '{';
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    if (text.length > room) return text;
    if (text.length > 1) text += ', ';
    if (!isArray) text += `${toJson(key.slice(0, room))}: `;
    text += beginningOf((value as { readonly [key: string]: unknown })[key], Math.max(0, room - text.length));
  }
  return text + (isArray ? ']' : '}');
}
