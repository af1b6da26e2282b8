import type { ToolResult } from '../../../api/result.ts';
import { shortTime } from '../../terminal/figures.ts';
import { oneLine } from '../../terminal/safe.ts';
import type { Style } from '../../terminal/style.ts';
import { truncate, widthOf } from '../../terminal/width.ts';
import { memberJson, toJson } from '../../../core/documents/written-numbers.ts';

/** A tool call on one line. */
export interface CallLine {
  readonly mark: string;
  readonly tool: string;
  readonly args: unknown;
  /** Its progress, or its result. */
  readonly note: string;
  readonly ms: number;
}

const minArgsWidth = 12;

/** Where there is no room, the arguments are shortened first, then the note. */
export function renderCall({ mark, tool, args, note, ms }: CallLine, width: number, style: Style): string {
  const name = truncate(oneLine(tool), Math.max(8, width - 14));
  const time = shortTime(ms);
  const room = width - widthOf(name) - time.length - 7;
  const said = oneLine(note);
  const given = argumentsOf(args);
  const forNote = Math.max(
    0,
    Math.min(
      widthOf(said),
      room - Math.min(widthOf(given), Math.max(minArgsWidth, Math.floor(room / 2))) - 3,
    ),
  );
  const forArgs = Math.max(0, room - (forNote > 0 ? forNote + 3 : 0));
  const parts = [
    `${mark} ${style.name(name)}`,
    given === '' ? '' : ` ${style.quiet(truncate(given, forArgs))}`,
    said === '' || forNote < Math.min(4, widthOf(said))
      ? ''
      : `${style.quiet(' · ')}${truncate(said, forNote)}`,
    style.quiet(` · ${time}`),
  ];
  return parts.join('');
}

/** `path=README.md limit=20` */
function argumentsOf(args: unknown): string {
  if (args === null || typeof args !== 'object' || Array.isArray(args)) return oneLine(valueOf(args));
  return Object.keys(args)
    .map((name) => `${oneLine(name)}=${oneLine(memberText(args, name))}`)
    .join(' ');
}

function memberText(args: object, name: string): string {
  const value = (args as { readonly [name: string]: unknown })[name];
  return typeof value === 'string' ? value : (memberJson(args, name) ?? '');
}

function valueOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : toJson(value);
}

/** The result of a call, in a few words. */
export function summaryOf({ content, structured, error }: ToolResult): string {
  if (error) return firstLine(error.message);
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text.trim()] : [])).join('\n');
  const others = content.filter(({ type }) => type !== 'text').map(({ type }) => type.replace('_', ' '));
  const lines = text === '' ? 0 : text.split('\n').length;
  const said = lines === 1 ? text : lines > 1 ? `${firstLine(text)} … ${lines} lines` : '';
  const all = [said, ...others].filter(Boolean).join(', ');
  return all === '' && structured !== undefined ? valueOf(structured) : all;
}

export const firstLine = (text: string): string => text.trim().split('\n', 1)[0]!;
