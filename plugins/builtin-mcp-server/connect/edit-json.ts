import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser';
import { type JsonObject, toJson } from 'pegboard';

/**
 * Sets the value at `path`, or removes it where it is undefined. Every other character stays as it is: the library's own
 * edits reformat the neighbours. `text` is JSON with comments whose root is an object, or blank.
 */
export function editJson(text: string, path: readonly string[], value: JsonObject | undefined): string {
  const [, mark = '', body = ''] = /^(\uFEFF?)([^]*)$/.exec(text) ?? [];
  const written = body.trim() === '' ? `{}${eolOf(body)}` : body;
  const root = parseTree(written, [], { allowTrailingComma: true })!;
  const found = findNodeAtLocation(root, [...path]);
  if (value === undefined) return mark + (found?.parent ? removed(written, found.parent) : written);
  if (found) {
    const shown = format(value, indentAt(written, found.parent!.offset), written);
    return mark + splice(written, found.offset, found.offset + found.length, shown);
  }
  // The deepest existing object gets what is missing.
  let depth = path.length - 1;
  while (depth > 0 && !findNodeAtLocation(root, path.slice(0, depth))) depth--;
  const parent = depth === 0 ? root : findNodeAtLocation(root, path.slice(0, depth))!;
  const whole = path.slice(depth + 1).reduceRight<JsonObject>((inner, key) => ({ [key]: inner }), value);
  return mark + inserted(written, parent, path[depth]!, whole);
}

/** As the last member, on lines of its own. */
function inserted(text: string, parent: Node, key: string, value: JsonObject): string {
  const eol = eolOf(text);
  const last = parent.children?.at(-1);
  const outer = indentAt(text, parent.offset);
  const indent = last && isOnOwnLine(text, last) ? indentAt(text, last.offset) : outer + unitOf(text);
  const member = `${eol}${indent}${toJson(key)}: ${format(value, indent, text)}`;
  const end = parent.offset + parent.length - 1;
  if (!last)
    return splice(
      text,
      parent.offset + 1,
      end,
      `${text.slice(parent.offset + 1, end).trimEnd()}${member}${eol}${outer}`,
    );
  const lastEnd = last.offset + last.length;
  const comma = commaAfter(text, lastEnd);
  const closing = text.slice(lastEnd, end).includes('\n') ? '' : `${eol}${outer}`;
  if (comma === undefined) return splice(text, lastEnd, lastEnd, `,${member}${closing}`);
  // After a comment that belongs to the last member.
  const lineEnd =
    /^[^\S\n]*(\/\/[^\n]*|\/\*[^\n]*?\*\/[^\S\n]*)?(?=\r?\n)/.exec(text.slice(comma + 1))?.[0].trimEnd() ??
    '';
  const at = comma + 1 + lineEnd.length;
  return splice(text, at, at, `${member},${closing}`);
}

/** Removes the property with its comma, or with the one before it if it was the last. */
function removed(text: string, property: Node): string {
  const siblings = property.parent?.children ?? [];
  const start = property.offset - /\s*$/.exec(text.slice(0, property.offset))![0].length;
  const end = property.offset + property.length;
  const comma = commaAfter(text, end);
  if (comma !== undefined) return splice(text, start, comma + 1, '');
  const before = siblings[siblings.indexOf(property) - 1];
  const without = splice(text, start, end, '');
  if (!before) return without;
  const at = commaAfter(text, before.offset + before.length);
  return at === undefined ? without : splice(without, at, at + 1, '');
}

/** The offset of the comma that follows `offset`, skipping comments; undefined when something else follows. */
function commaAfter(text: string, offset: number): number | undefined {
  const [between] = /^(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/.exec(text.slice(offset))!;
  return text[offset + between.length] === ',' ? offset + between.length : undefined;
}

const splice = (text: string, start: number, end: number, by: string): string =>
  text.slice(0, start) + by + text.slice(end);

const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** As the file is indented already. */
const unitOf = (text: string): string => /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';

/** Of the line that `offset` is in. */
const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))![0];

const isOnOwnLine = (text: string, { offset }: Node): boolean =>
  text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '' &&
  text.lastIndexOf('\n', offset - 1) >= 0;

const format = (value: JsonObject, indent: string, text: string): string =>
  toJson(value, unitOf(text)).replaceAll('\n', `${eolOf(text)}${indent}`);
