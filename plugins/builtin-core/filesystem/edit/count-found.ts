import { PegboardError } from 'pegboard';
import { maxFileBytes, toMegabytes } from '../files.ts';
import { nearMiss } from './near-miss.ts';

export interface Replacement {
  readonly from: string;
  readonly to: string;
  readonly all: boolean;
}

/** Characters of a file in which similar text is looked for. */
const maxSearched = 2_000_000;

/** How often `from` is in the text. Throws PEG_TOOL_FAILED if that is not as often as it has to be. */
export function countFound(path: string, text: string, { from, to, all }: Replacement): number {
  const found = occurrencesOf(text, from);
  if (found === 0) {
    const hint = text.length > maxSearched ? 'Read that part of it again.' : nearMiss(text, from);
    throw failed(`old_string is not in ${path}. ${hint}`);
  }
  if (found > 1 && !all) {
    throw failed(
      `old_string is in ${path} ${found} times (lines ${linesOf(text, from)}). Give more of the surrounding text, or set replace_all.`,
    );
  }
  const length = text.length + found * (to.length - from.length);
  if (length > maxFileBytes)
    throw failed(
      `The new content has ${toMegabytes(length)} MB; files up to ${toMegabytes(maxFileBytes)} MB are written.`,
    );
  return found;
}

function occurrencesOf(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) count++;
  return count;
}

/** Of the first occurrences. */
function linesOf(text: string, wanted: string): string {
  const lines: string[] = [];
  let line = 1;
  let counted = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    if (lines.length === 8) return `${lines.join(', ')}, …`;
    line += text.slice(counted, at).split('\n').length - 1;
    counted = at;
    lines.push(String(line));
  }
  return lines.join(', ');
}

export const failed = (message: string): PegboardError => new PegboardError('PEG_TOOL_FAILED', message);
