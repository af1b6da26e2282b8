import { join } from 'node:path';
import { linesOf, toText } from '../content.ts';
import { readBytes } from '../files.ts';
import type { MatchedLine } from './line-search.ts';
import { openPath } from '../access/open-path.ts';
import type { Roots } from '../access/roots.ts';
import type { SearchFolder } from './search-folder.ts';
import { shownName } from '../shown-name.ts';
import { secretReason } from '../access/secret-files.ts';

/** Maximum characters shown of a line. Minified code has lines of megabytes. */
const maxLineLength = 500;
/** Maximum characters of a line, and of all of them, for programs. */
const maxTextLength = 10_000;
const maxTotalLength = 4_000_000;

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
}

/** The text is read again with all checks, so that a search engine that was tricked into opening a file can't leak it. */
export async function showMatches(
  roots: Roots,
  folder: SearchFolder,
  matches: readonly MatchedLine[],
  context: number,
): Promise<ShownMatches> {
  const shown: string[] = [];
  const lists = { matches: [] as FoundLine[], context: [] as FoundLine[] };
  let room = maxTotalLength;
  let truncated = false;
  for (const [file, found] of Map.groupBy(matches, (match) => match.file)) {
    const lines = await readLines(roots, join(folder.path, file));
    const matched = new Set(found.map(({ line }) => line));
    const name = folder.nameOf(file);
    const shownAs = shownName(name);
    let last: number | undefined;
    for (const number of withContext(matched, context, lines.length)) {
      if (context > 0 && shown.length > 0 && number - 1 !== last) shown.push('--');
      last = number;
      const mark = matched.has(number) ? ':' : '-';
      const line = lines[number - 1]!;
      shown.push(`${shownAs}${mark}${number}${mark}${shorten(line)}`);
      const text = line.slice(0, maxTextLength);
      truncated ||= text.length < line.length || text.length > room;
      if (text.length > room) continue;
      room -= text.length;
      lists[matched.has(number) ? 'matches' : 'context'].push({ path: name, line: number, text });
    }
  }
  return { shown, ...lists, truncated };
}

/** The lines of the file. Empty when it is binary, no longer exists or is not the file that was searched. */
async function readLines(roots: Roots, path: string): Promise<readonly string[]> {
  using reached = openPath(roots, path);
  if (!reached.stats?.isFile() || reached.path !== path || secretReason(roots, path) !== undefined) return [];
  const content = toText(await readBytes(reached));
  return content ? linesOf(content.text) : [];
}

function withContext(matched: ReadonlySet<number>, context: number, count: number): readonly number[] {
  const shown = new Set<number>();
  for (const line of matched) {
    for (let near = Math.max(1, line - context); near <= Math.min(count, line + context); near++)
      shown.add(near);
  }
  return [...shown].sort((a, b) => a - b);
}

function shorten(line: string): string {
  return line.length <= maxLineLength ? line : `${line.slice(0, maxLineLength)}… (${line.length} characters)`;
}
