import { textResult, type StructuredResult, type StructureOf } from 'pegboard';
import { shownName } from '../shown-name.ts';
import type { GrepTarget } from './grep-target.ts';
import type { ShownMatches } from './show-matches.ts';

export const maxMatches = 1_000;

const foundLines = {
  type: 'array',
  items: {
    type: 'object',
    required: ['path', 'line', 'text'],
    properties: { path: { type: 'string' }, line: { type: 'integer' }, text: { type: 'string' } },
  },
} as const;

/** What `grep` returns for programs. */
export const grepResult = {
  type: 'object',
  required: ['matches', 'filesSearched'],
  properties: {
    matches: foundLines,
    context: { ...foundLines, description: 'Lines around the matches.' },
    filesSearched: { type: 'integer' },
    secretFilesSkipped: { type: 'integer' },
    filesSkipped: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'reason'],
        properties: { path: { type: 'string' }, reason: { type: 'string' } },
      },
    },
    binaryMatches: {
      type: 'array',
      items: { type: 'string' },
      description: 'Binary files in which something matches.',
    },
    truncated: { type: 'boolean' },
  },
} as const;

interface Found extends ShownMatches {
  readonly hasContext: boolean;
  /** There are more lines than `maxMatches`. */
  readonly isMore: boolean;
}

/** With a line for everything that matched and can't be shown, and for every file that was not searched. */
export function toGrepResult(
  pattern: string,
  target: GrepTarget,
  { shown, matches, context, truncated, hasContext, isMore, ...found }: Found,
): StructuredResult<StructureOf<typeof grepResult>> {
  const { folder, files } = target;
  const nameAll = (names: readonly string[]): readonly string[] => names.map((file) => folder.nameOf(file));
  const binary = nameAll(found.binary);
  const skipped = [...target.skipped].map(([reason, names]) => ({ reason, names: nameAll(names) }));
  const lines = [...shown];

  const structure = {
    matches,
    ...(hasContext && { context }),
    filesSearched: files.length,
    ...(target.secret > 0 && { secretFilesSkipped: target.secret }),
    ...(skipped.length > 0 && {
      filesSkipped: skipped.flatMap(({ reason, names }) => names.map((name) => ({ path: name, reason }))),
    }),
    ...(binary.length > 0 && { binaryMatches: binary }),
    ...((truncated || isMore) && { truncated: true }),
  };
  if (lines.length === 0)
    lines.push(
      `${binary.length > 0 ? 'No line of text' : 'No line'} matches ${pattern} (${files.length === 1 ? 'one file' : `${files.length} files`} searched).`,
    );
  if (isMore) lines.push(`[there are more than ${maxMatches} matches: narrow the pattern, path or type]`);
  if (binary.length > 0) lines.push(`[${filesAre(binary)} binary and matched, but the lines can't be shown]`);
  for (const { reason, names } of skipped) lines.push(`[${filesAre(names)} ${reason} and not searched]`);
  if (target.secret > 0)
    lines.push(
      target.secret === 1
        ? '[1 file that may hold secrets was not searched: read shows it when a person agrees]'
        : `[${target.secret} files that may hold secrets were not searched: read shows them when a person agrees]`,
    );
  return textResult(lines.join('\n'), structure);
}

/** Names in a note about files. */
const maxNamed = 5;

/** "big.log is", "5 files (a, b, …) are" */
function filesAre(names: readonly string[]): string {
  const [only] = names;
  if (names.length === 1) return `${shownName(only!)} is`;
  const named = names.slice(0, maxNamed).map(shownName).join(', ');
  return `${names.length} files (${named}${names.length > maxNamed ? ', …' : ''}) are`;
}
