import { parseJson } from '../core/documents/written-numbers.ts';
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/** A key that occurs twice in one object of a JSON text; JSON.parse keeps only the last. `text` must be valid JSON. */
export function repeatedKey(text: string): string | undefined {
  /** The keys of the open objects, undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  let isKey = false;
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (isKey && token.startsWith('"')) {
      const key = token.includes('\\') ? (parseJson(token) as string) : token.slice(1, -1);
      const keys = open.at(-1)!;
      if (keys.has(key)) return key;
      keys.add(key);
    }
    isKey = token === '{' || (token === ',' && open.at(-1) !== undefined);
  }
  return undefined;
}
