import { isObject } from './rpc-message.ts';
import { visibleText } from '../../core/foreign/visible-text.ts';

const mostLines = 20;
const longestValue = 300;
/** Characters before a change. */
const leadIn = 40;

/** What differs between two definitions, a line each: `description: "Adds" → "Adds, then sends"`. */
export function describeChange(before: unknown, after: unknown): string[] {
  const lines: string[] = [];
  compare(before, after, '', lines);
  return lines.length <= mostLines
    ? lines
    : [...lines.slice(0, mostLines), `and ${lines.length - mostLines} more changes`];
}

function compare(before: unknown, after: unknown, path: string, lines: string[]): void {
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(memberOf(before, key), memberOf(after, key), path === '' ? key : `${path}.${key}`, lines);
    }
  } else if (JSON.stringify(before) !== JSON.stringify(after)) {
    const from = beginOfChange(before, after);
    lines.push(`${visibleText(path)}: ${shown(before, from)} → ${shown(after, from)}`);
  }
}

const memberOf = (holder: object, key: string): unknown =>
  Object.hasOwn(holder, key) ? (holder as { readonly [key: string]: unknown })[key] : undefined;

/** From which character on long texts are shown: a little before the first that differs. */
function beginOfChange(before: unknown, after: unknown): number {
  if (typeof before !== 'string' || typeof after !== 'string') return 0;
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  return same < longestValue / 2 ? 0 : same - leadIn;
}

/** Hidden characters are spelled out: they may be all that changed. */
function shown(value: unknown, from: number): string {
  if (value === undefined) return 'nothing';
  const part = typeof value === 'string' && from > 0 ? `…${value.slice(from)}` : value;
  const text = JSON.stringify(part).replace(/[^\u0020-\u007E\u00A1-\u024F]/gu, (c) =>
    visibleText(c) === c ? c : `\\u{${c.codePointAt(0)!.toString(16)}}`,
  );
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
