import type { Content, ToolResult } from '../api/result.ts';

/** Shorter values would black out ordinary words. */
const shortest = 6;
/** Variables that are no secrets although manifests refer to them. */
const publicNames =
  /^(HOME|USER|LOGNAME|PWD|PATH|LANG|LC_.*|SHELL|TERM|TMPDIR|HOSTNAME|TZ|NODE_ENV|PEGBOARD_HOME)$/;

/** Replaces secrets' values, also when they come encoded, by `[secret NAME]`. */
export interface Redactor {
  add(name: string, value: string): void;
  text(text: string): string;
  /** Every string in a JSON-like value; returns the same object when nothing was replaced. */
  value<T>(value: T): T;
  result(result: ToolResult): ToolResult;
}

export function createRedactor(): Redactor {
  const forms = new Map<string, string>();
  let pattern: RegExp | undefined;

  const rebuild = (): void => {
    const longestFirst = [...forms.keys()].sort((a, b) => b.length - a.length);
    pattern = new RegExp(longestFirst.map((form) => RegExp.escape(form)).join('|'), 'g');
  };
  const text = (input: string): string =>
    pattern ? input.replace(pattern, (found) => `[secret ${forms.get(found)}]`) : input;
  const value = <T>(input: T): T => (pattern ? (mapStrings(input, text, 0) as T) : input);
  const content = (block: Content): Content =>
    block.type === 'image' || block.type === 'audio' ? block : value(block);

  return {
    add(name, secret) {
      if (secret.length < shortest || publicNames.test(name)) return;
      let grown = false;
      for (const form of encodings(secret)) {
        if (form.length < shortest || forms.has(form)) continue;
        forms.set(form, name);
        grown = true;
      }
      if (grown) rebuild();
    },
    text,
    value,
    result(result) {
      if (!pattern) return result;
      return {
        content: result.content.map(content),
        ...(result.structured !== undefined && { structured: value(result.structured) }),
        ...(result.error && { error: value(result.error) }),
        ...(result.meta && { meta: value(result.meta) }),
      };
    },
  };
}

/** The value as it is, URL-encoded, JSON-escaped, hex, base64 at all three offsets (also base64url), and its long lines. */
function encodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and last characters also hold bits of the neighbours.
    const from = [0, 2, 3][offset]!;
    const to = encoded.length - ((bytes.length + offset) % 3 === 0 ? 0 : 1);
    const core = encoded.slice(from, to);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const lines = secret.split(/\r?\n/).filter((line) => line.length >= 16);
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...lines,
  ];
}

const deepest = 64;

function mapStrings(value: unknown, change: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return change(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth > deepest) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change, depth + 1)]),
  );
}
