import { PegboardError } from 'pegboard';
import type { DecodedText } from '../content.ts';
import { nearMiss } from './near-miss.ts';

export interface Replacement {
  readonly from: string;
  readonly to: string;
  readonly all: boolean;
}

/**
 * Replaces `from` in the file, once or everywhere. Throws PEG_TOOL_FAILED with the most similar text of the file when
 * it isn't found.
 */
export function replaceText(path: string, file: DecodedText, { from, to, all }: Replacement): DecodedText {
  if (from === to) throw failed('old_string and new_string are the same: there is nothing to change.');
  const { text, form } = file;
  const old = inLineEndsOf(file, from);
  const parts = text.split(old);
  if (parts.length === 1) throw failed(`old_string is not in ${path}. ${nearMiss(text, from)}`);
  if (parts.length > 2 && !all) {
    throw failed(
      `old_string is in ${path} ${parts.length - 1} times (lines ${linesOf(parts)}). Give more of the surrounding text, or set replace_all.`,
    );
  }
  return { text: parts.join(inLineEndsOf(file, to)), form };
}

export function occurrencesOf(file: DecodedText, text: string): number {
  return file.text.split(inLineEndsOf(file, text)).length - 1;
}

/** Models write LF; in a file of CRLF lines that means CRLF. */
function inLineEndsOf({ form }: DecodedText, text: string): string {
  return form.lineEnd === '\r\n' && !text.includes('\r') ? text.replaceAll('\n', '\r\n') : text;
}

function linesOf(parts: readonly string[]): string {
  let line = 1;
  const lines: number[] = [];
  for (const [index, part] of parts.slice(0, -1).entries()) {
    line += part.split('\n').length - 1;
    if (index < 8) lines.push(line);
  }
  return `${lines.join(', ')}${parts.length > 9 ? ', …' : ''}`;
}

const failed = (message: string): PegboardError => new PegboardError('PEG_TOOL_FAILED', message);
