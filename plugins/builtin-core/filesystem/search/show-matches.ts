import { join } from 'node:path';
import { maxFileBytes, readBytes } from '../files.ts';
import { runJob } from '../large/run-job.ts';
import { maxLineLength, maxTextLength, maxTotalLength, type NumberedLine } from './lines-around.ts';
import type { MatchedLine } from './line-search.ts';
import { openPath } from '../access/open-path.ts';
import type { Roots } from '../access/roots.ts';
import type { SearchFolder } from './search-folder.ts';
import { shownName } from '../shown-name.ts';
import { secretReason } from '../access/secret-files.ts';

/** A line of a file. */
interface FoundLine {
  /** As other tools take it. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

export interface ShownMatches {
  /** Matched lines as `path:line:text`, lines around them as `path-line-text`, and `--` between groups. */
  readonly shown: string[];
  readonly matches: readonly FoundLine[];
  /** The lines around them. */
  readonly context: readonly FoundLine[];
  /** Some lines were too long or too many for `matches` and `context`. */
  readonly truncated: boolean;
  /** Files that turned out to be binary. */
  readonly binary: readonly string[];
}

/** The text is read again with all checks, so that a search engine that was tricked into opening a file can't leak it. */
export async function showMatches(
  roots: Roots,
  folder: SearchFolder,
  matches: readonly MatchedLine[],
  { context, signal }: { readonly context: number; readonly signal: AbortSignal },
): Promise<ShownMatches> {
  const shown: string[] = [];
  const binary: string[] = [];
  const lists = { matches: [] as FoundLine[], context: [] as FoundLine[] };
  let room = maxTotalLength;
  let truncated = false;
  for (const [file, found] of Map.groupBy(matches, (match) => match.file)) {
    const matched = new Set(found.map(({ line }) => line));
    const bytes = await readMatched(roots, join(folder.path, file));
    const job = { bytes, around: { matched: [...matched], context } };
    const lines = await runJob('linesAround', job, { size: bytes.length, signal, transfer: bytes });
    const name = folder.nameOf(file);
    if (lines === undefined) binary.push(file);
    const shownAs = shownName(name);
    let last: number | undefined;
    for (const line of lines ?? []) {
      const { number, length } = line;
      if (context > 0 && shown.length > 0 && number - 1 !== last) shown.push('--');
      last = number;
      const mark = matched.has(number) ? ':' : '-';
      shown.push(`${shownAs}${mark}${number}${mark}${shorten(line)}`);
      const text = line.text.slice(0, maxTextLength);
      truncated ||= text.length < length || text.length > room;
      if (text.length > room) continue;
      room -= text.length;
      lists[matched.has(number) ? 'matches' : 'context'].push({ path: name, line: number, text });
    }
  }
  return { shown, ...lists, truncated, binary };
}

/** The bytes of the file. None when it no longer exists or is not the file that was searched. */
async function readMatched(roots: Roots, path: string): Promise<Buffer> {
  using reached = openPath(roots, path);
  const { stats } = reached;
  if (!stats?.isFile() || stats.size > maxFileBytes || reached.path !== path) return Buffer.alloc(0);
  if (secretReason(roots, path) !== undefined) return Buffer.alloc(0);
  return await readBytes(reached);
}

function shorten({ text, length }: NumberedLine): string {
  return length <= maxLineLength ? text : `${text.slice(0, maxLineLength)}… (${length} characters)`;
}
