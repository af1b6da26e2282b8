import { join } from 'node:path';
import { linesOf, toText } from '../content.ts';
import { readBytes } from '../files.ts';
import type { MatchedLine } from './line-search.ts';
import { reach } from '../access/reach.ts';
import type { Roots } from '../access/roots.ts';
import type { SearchFolder } from './search-folder.ts';
import { secretReason } from '../access/secret-files.ts';

/** Characters of a line that are shown: minified code has lines of megabytes. */
const maxLineLength = 500;

/**
 * The matched lines as `path:line:text`, those around them as `path-line-text`, with `--` between groups. The text is
 * read anew behind the guards, so that nothing an engine was tricked into opening is ever shown.
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

/** The file's lines; none when it is binary, gone, or no longer the file that was searched. */
async function readLines(roots: Roots, path: string): Promise<readonly string[]> {
  using reached = reach(roots, path);
  if (!reached.stats?.isFile() || reached.path !== path || secretReason(roots, path) !== undefined) return [];
  const content = toText(await readBytes(reached));
  return content ? linesOf(content.text) : [];
}

function withContext(matched: ReadonlySet<number>, context: number, count: number): readonly number[] {
  const wanted = new Set<number>();
  for (const line of matched) {
    for (let near = Math.max(1, line - context); near <= Math.min(count, line + context); near++)
      wanted.add(near);
  }
  return [...wanted].sort((a, b) => a - b);
}

function shorten(line: string): string {
  return line.length <= maxLineLength ? line : `${line.slice(0, maxLineLength)}… (${line.length} characters)`;
}
