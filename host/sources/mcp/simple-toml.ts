/** A table of a TOML file; values are strings, numbers, booleans, and arrays and tables of them. */
export interface TomlTable {
  [key: string]: unknown;
}

const keyPart = /^\s*(?:([A-Za-z0-9_-]+)|"((?:[^"\\]|\\.)*)"|'([^']*)')\s*/;

/**
 * The part of TOML that people write settings in: tables, strings on one line, numbers, booleans, arrays, inline
 * tables. Anything else (dates, multi-line strings, arrays of tables) is skipped. Never throws.
 */
export function parseSimpleToml(text: string): TomlTable {
  const root: TomlTable = {};
  let table: TomlTable | undefined = root;
  for (const line of joinArrays(text)) {
    const header = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line);
    if (header) {
      const path = readKey(header[1]!)?.path;
      table = path && tableAt(root, path);
      continue;
    }
    if (/^\s*\[\[/.test(line)) table = undefined;
    const assignment = table && readAssignment(line);
    if (table && assignment) set(table, assignment.path, assignment.value);
  }
  return root;
}

/** Lines, of which an array that goes over several counts as one. */
function joinArrays(text: string): string[] {
  const lines: string[] = [];
  let open = '';
  for (const line of text.split(/\r?\n/)) {
    const joined = open + line.replace(/^\s*#.*/, '');
    const bare = joined.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '').replace(/#.*/, '');
    const depth = (bare.match(/\[/g)?.length ?? 0) - (bare.match(/\]/g)?.length ?? 0);
    if (depth > 0 && bare.includes('=')) open = `${joined.replace(/#[^"']*$/, '')} `;
    else {
      lines.push(joined);
      open = '';
    }
  }
  return lines;
}

function readKey(text: string): { readonly path: string[]; readonly rest: string } | undefined {
  const path: string[] = [];
  let rest = text;
  for (;;) {
    const match = keyPart.exec(rest);
    if (!match) return undefined;
    path.push(match[1] ?? match[3] ?? unescape(match[2]!));
    rest = rest.slice(match[0].length);
    if (!rest.startsWith('.')) return { path, rest };
    rest = rest.slice(1);
  }
}

function readAssignment(line: string): { readonly path: string[]; readonly value: unknown } | undefined {
  const key = readKey(line);
  if (!key?.rest.startsWith('=')) return undefined;
  const value = readValue(key.rest.slice(1));
  return value && { path: key.path, value: value.value };
}

interface Read {
  readonly value: unknown;
  readonly rest: string;
}

function readValue(text: string): Read | undefined {
  const rest = text.trimStart();
  const string = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/.exec(rest);
  if (string && !/^("""|''')/.test(rest)) {
    return { value: string[2] ?? unescape(string[1]!), rest: rest.slice(string[0].length) };
  }
  const word = /^(?:true|false|[+-]?\d[\d_]*(?:\.\d+)?)(?=\s*(?:[,\]}#]|$))/.exec(rest);
  if (word) {
    const value = word[0] === 'true' || (word[0] !== 'false' && Number(word[0].replaceAll('_', '')));
    return { value, rest: rest.slice(word[0].length) };
  }
  if (rest.startsWith('[')) return readArray(rest.slice(1));
  if (rest.startsWith('{')) return readInlineTable(rest.slice(1));
  return undefined;
}

function readArray(text: string): Read | undefined {
  const value: unknown[] = [];
  let rest = text.trimStart();
  while (!rest.startsWith(']')) {
    const item = readValue(rest);
    if (!item) return undefined;
    value.push(item.value);
    rest = item.rest.trimStart().replace(/^,\s*/, '');
  }
  return { value, rest: rest.slice(1) };
}

function readInlineTable(text: string): Read | undefined {
  const value: TomlTable = {};
  let rest = text.trimStart();
  while (!rest.startsWith('}')) {
    const key = readKey(rest);
    const item = key?.rest.startsWith('=') ? readValue(key.rest.slice(1)) : undefined;
    if (!key || !item) return undefined;
    set(value, key.path, item.value);
    rest = item.rest.trimStart().replace(/^,\s*/, '');
  }
  return { value, rest: rest.slice(1) };
}

function tableAt(root: TomlTable, path: readonly string[]): TomlTable {
  return path.reduce<TomlTable>((table, key) => {
    const next = Object.hasOwn(table, key) ? table[key] : undefined;
    if (typeof next === 'object' && next !== null && !Array.isArray(next)) return next as TomlTable;
    const made: TomlTable = {};
    define(table, key, made);
    return made;
  }, root);
}

function set(table: TomlTable, path: readonly string[], value: unknown): void {
  define(tableAt(table, path.slice(0, -1)), path.at(-1)!, value);
}

/** Also for a key like `__proto__`. */
function define(table: TomlTable, key: string, value: unknown): void {
  Object.defineProperty(table, key, { value, writable: true, enumerable: true, configurable: true });
}

function unescape(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
