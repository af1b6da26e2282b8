import { parseTOML, type AST } from 'toml-eslint-parser';
import { type JsonObject, PegboardError, toJson } from 'pegboard';

/** Sets the table at `path`, or removes it where it is undefined. The rest stays as it is, with comments. */
export function editToml(text: string, path: readonly string[], value: JsonObject | undefined): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const found = partsOf(text, path);
  let rest = text;
  for (const [start, end] of found.toReversed()) rest = rest.slice(0, start) + rest.slice(end);
  if (value === undefined) return rest;
  const block = toToml(path, value).join(eol) + eol;
  const [first] = found;
  const former = first && text.slice(...first);
  if (first && former !== undefined && /^\s*\[/.test(former)) {
    const after = rest.slice(first[0]);
    const lead = /^\s*?\n/.test(former) ? eol : '';
    return (
      rest.slice(0, first[0]) + lead + block + (after === '' || /^\s*\r?\n/.test(after) ? '' : eol) + after
    );
  }
  const body = rest === '' || rest.endsWith('\n') ? rest : rest + eol;
  return body + (body.trim() === '' || /\n\s*\n$/.test(body) ? '' : eol) + block;
}

type Part = readonly [start: number, end: number];

/** The ranges where the value at `path` is written, in order and in whole lines: tables with their sub-tables, and keys. */
function partsOf(text: string, path: readonly string[]): Part[] {
  const [program] = parseTOML(text).body;
  const parts = program.body.flatMap((node): Part[] => {
    if (node.type === 'TOMLTable') {
      if (startsWith(node.resolvedKey, path)) return [linesOf(text, node, true)];
      return node.body.flatMap((one) => partOf(one, node.resolvedKey.map(String), text, path));
    }
    return partOf(node, [], text, path);
  });
  return parts.toSorted(([a], [b]) => a - b);
}

function partOf(
  node: AST.TOMLKeyValue,
  above: readonly string[],
  text: string,
  path: readonly string[],
): Part[] {
  const key = [...above, ...node.key.keys.map((one) => (one.type === 'TOMLBare' ? one.name : one.value))];
  if (startsWith(key, path)) return [linesOf(text, node, false)];
  if (startsWith(path, key) && node.value.type === 'TOMLInlineTable')
    throw new PegboardError(
      'PEG_CONFIG',
      `${key.join('.')} is an inline table in line ${node.loc.start.line}. Write it as [${key.join('.')}.NAME] tables and try again. Nothing was changed.`,
    );
  return [];
}

const startsWith = (key: readonly (string | number)[], path: readonly (string | number)[]): boolean =>
  path.every((part, at) => key[at] === part);

/** From the start of its first line to the end of its last; for a table including the blank line before it. */
function linesOf(text: string, { range }: AST.TOMLNode, withBlank: boolean): Part {
  const lineStart = text.lastIndexOf('\n', range[0] - 1) + 1;
  const lineEnd = text.indexOf('\n', range[1]);
  const blank = withBlank ? /(?<=\n)[ \t]*\r?\n$/.exec(text.slice(0, lineStart))?.[0].length : 0;
  return [lineStart - (blank ?? 0), lineEnd < 0 ? text.length : lineEnd + 1];
}

/** The lines of a table with its strings and lists; nested tables follow with headers of their own. */
function toToml(path: readonly string[], table: JsonObject): string[] {
  const entries = Object.entries(table).filter(([, value]) => value !== undefined);
  const isTable = (value: unknown): value is JsonObject =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return [
    `[${path.map(keyOf).join('.')}]`,
    ...entries.flatMap(([key, value]) => (isTable(value) ? [] : [`${keyOf(key)} = ${toJson(value)}`])),
    ...entries.flatMap(([key, value]) => (isTable(value) ? ['', ...toToml([...path, key], value)] : [])),
  ];
}

const keyOf = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : toJson(key));
