const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|-?\d[\d.eE+-]*/gs;

/**
 * What of a JSON text its parsed value doesn't hold, in words: of a key that stands twice in an object only the last value
 * is kept, and whole numbers beyond 2⁵³ become others. `text` must be JSON.
 */
export function repeatedOrInexact(text: string): string | undefined {
  /** The keys of the objects that are open, undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let isKey = false;
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (isKey && token.startsWith('"')) {
      const key = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
      const keys = open.at(-1)!;
      if (keys.has(key)) return `"${key.slice(0, 80)}" stands in it twice`;
      keys.add(key);
    } else if (/^-?\d/.test(token) && !isExact(token))
      return `${token.slice(0, 80)} has more digits than a number can keep: if it is a name or an id, write it as text`;
    isKey = token === '{' || (token === ',' && open.at(-1) !== undefined);
  }
  return undefined;
}

const isExact = (number: string): boolean =>
  Number.isFinite(Number(number)) && (!/^-?\d+$/.test(number) || Number.isSafeInteger(Number(number)));
