import { textResult, type StructuredResult } from 'pegboard';
import type { FileContent } from '../file-content.ts';
import { countLines, skipLines } from './text-lines.ts';

const defaultLimit = 2000;
/** Characters after which a read without an explicit limit stops at the end of a line. */
const maxOutputLength = 30_000;
/** Characters of a structure, and of any read, which end at the end of a line too. */
const maxContentLength = 4_000_000;

export interface Section {
  readonly offset: number;
  readonly limit: number | undefined;
}

/** The text for models ends earlier than the structure for programs, unless the call has a limit. */
export function showLines(
  text: string,
  { offset, limit }: Section,
  file: FileContent,
): StructuredResult<FileContent> {
  const total = countLines(text);
  const start = skipLines(text, 0, { most: offset }).end;
  const whole = skipLines(text, start, { most: limit ?? Infinity, maxLength: maxContentLength });
  const wanted = Math.min(limit ?? Infinity, Math.max(0, total - offset));
  const structured = {
    ...file,
    content: text.slice(start, whole.end),
    offset,
    lines: whole.lines,
    totalLines: total,
    ...(whole.lines < wanted && { truncated: true }),
  };
  if (text === '') return textResult('[the file is empty]', structured);
  const shown =
    limit === undefined ? skipLines(text, start, { most: defaultLimit, maxLength: maxOutputLength }) : whole;
  const end = offset + shown.lines;
  if (offset === 0 && end === total) return textResult(text, structured);
  const note =
    shown.lines === 0
      ? `the file has ${total === 1 ? '1 line' : `${total} lines`}: nothing at offset ${offset}`
      : end < total
        ? `lines ${offset + 1} to ${end} of ${total}; go on with offset ${end}`
        : `lines ${offset + 1} to ${end}, the end`;
  const parts = shown.lines === 0 ? [] : textResult(text.slice(start, shown.end)).content;
  return { content: [...parts, ...textResult(`[${note}]`).content], structured };
}
