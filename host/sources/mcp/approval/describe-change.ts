import { isObject } from '../transport/rpc-message.ts';
import { visibleText } from '../../../core/foreign/visible-text.ts';
import { memberJson, toJson } from '../../../core/documents/written-numbers.ts';

type Members = { readonly [key: string]: unknown };

const maxLines = 20;
const maxValueLength = 300;
/** Characters shown before a change. */
const leadInLength = 40;

/** What differs between two definitions, a line each: `description: "Adds" → "Adds, then sends"`. */
export function describeChange(before: unknown, after: unknown): string[] {
  const lines: string[] = [];
  compare({ all: before }, { all: after }, 'all', '', lines);
  return lines.length <= maxLines
    ? lines
    : [...lines.slice(0, maxLines), `and ${lines.length - maxLines} more changes`];
}

/** The values at `key` of both. */
function compare(first: object, second: object, key: string, path: string, lines: string[]): void {
  const [before, after] = [memberOf(first, key), memberOf(second, key)];
  if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(before, after, name, path === '' ? name : `${path}.${name}`, lines);
    }
  } else if (memberJson(first, key) !== memberJson(second, key)) {
    const from = beginOfChange(before, after);
    const shownAt = (holder: object): string => shown(holder as Members, key, from);
    lines.push(`${visibleText(path)}: ${shownAt(first)} → ${shownAt(second)}`);
  }
}

const memberOf = (holder: object, key: string): unknown =>
  Object.hasOwn(holder, key) ? (holder as { readonly [key: string]: unknown })[key] : undefined;

/** The index from which long texts are shown: a little before the first difference. */
function beginOfChange(before: unknown, after: unknown): number {
  if (typeof before !== 'string' || typeof after !== 'string') return 0;
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  return same < maxValueLength / 2 ? 0 : same - leadInLength;
}

/** Hidden characters are escaped, because they may be the only change. */
function shown(holder: Members, key: string, from: number): string {
  const value = memberOf(holder, key);
  const json =
    typeof value === 'string' && from > 0 ? toJson(`…${value.slice(from)}`) : memberJson(holder, key);
  if (json === undefined) return 'nothing';
  const text = json.replace(/[^\u0020-\u007E\u00A1-\u024F]/gu, (c) =>
    visibleText(c) === c ? c : `\\u{${c.codePointAt(0)!.toString(16)}}`,
  );
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
