import { join } from 'node:path';
import { linesOf, toText } from '../content.ts';
import { readBytes } from '../files.ts';
import type { MatchedLine } from './line-search.ts';
import { openPath } from '../access/open-path.ts';
import type { Roots } from '../access/roots.ts';
import type { SearchFolder } from './search-folder.ts';
import { secretReason } from '../access/secret-files.ts';

/** Maximum characters shown of a line. Minified code has lines of megabytes. */
const maxLineLength = 500;

/**
 * Matched lines as `path:line:text`, lines around them as `path-line-text`, and `--` between groups. The text is read
 * again with all checks, so that a search engine that was tricked into opening a file can't leak it.
 */
export async function showMatches(
  roots: Roots,
  folder: SearchFolder,
  matches: readonly MatchedLine[],
  context: number,
): Promise<string[]> {
  const shown: string[] = [];
  for (const [file, found] of Map.groupBy(matches, (match) => match.file)) {
    const lines = await readLines(roots, join(folder.path, file));
    const matched = new Set(found.map(({ line }) => line));
    const name = folder.nameOf(file);
    let last: number | undefined;
    for (const number of withContext(matched, context, lines.length)) {
      if (context > 0 && shown.length > 0 && number - 1 !== last) shown.push('--');
      last = number;
      const mark = matched.has(number) ? ':' : '-';
      shown.push(`${name}${mark}${number}${mark}${shorten(lines[number - 1]!)}`);
    }
  }
  return shown;
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
