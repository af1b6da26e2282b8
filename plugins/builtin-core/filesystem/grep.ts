import { join } from 'node:path';
import { PegboardError, defineTool, textResult, type Tool } from 'pegboard';
import type { FileAccess } from './access/file-access.ts';
import { openPath } from './access/open-path.ts';
import { explainFileErrors } from './file-error.ts';
import type { LineSearchEngine } from './search/line-search.ts';
import { shownFrom } from './access/origin.ts';
import { showMatches } from './search/show-matches.ts';

const maxMatches = 1_000;
const maxContext = 50;
const maxPatternLength = 10_000;

const foundLines = {
  type: 'array',
  items: {
    type: 'object',
    required: ['path', 'line', 'text'],
    properties: { path: { type: 'string' }, line: { type: 'integer' }, text: { type: 'string' } },
  },
} as const;

export function createGrep({ roots, origins }: FileAccess, engine: () => Promise<LineSearchEngine>): Tool {
  return defineTool({
    name: 'grep',
    title: 'Search in files',
    description:
      'Finds lines that match a regular expression (RE2: no look-around or back-references; (?i) ignores case). Gives path:line:text. Leaves out .git, binary files, files that may hold secrets, and what .gitignore excludes, unless path names it.',
    category: 'files',
    tags: ['search', 'find', 'text', 'content', 'regex', 'rg'],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    timeout: 10,
    permission: { kind: 'path', argument: 'path', readsFolder: true },
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['pattern'],
      properties: {
        pattern: {
          type: 'string',
          minLength: 1,
          maxLength: maxPatternLength,
          description: 'Regular expression.',
        },
        path: {
          type: 'string',
          minLength: 1,
          description: 'File or folder to search. Default: the project or home.',
        },
        type: { type: 'string', minLength: 1, description: 'Only files of this type: js, ts, py, go, md, …' },
        context: {
          type: 'integer',
          minimum: 0,
          maximum: maxContext,
          description: 'Lines to show before and after each match. Default 0.',
        },
        '-C': { type: 'integer', minimum: 0, maximum: maxContext, description: 'The same as context.' },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['matches', 'filesSearched'],
      properties: {
        matches: foundLines,
        context: { ...foundLines, description: 'Lines around the matches.' },
        filesSearched: { type: 'integer' },
        secretFilesSkipped: { type: 'integer' },
        truncated: { type: 'boolean' },
      },
    },
    examples: [
      { input: { pattern: 'TODO|FIXME' } },
      { input: { pattern: '(?i)timeout', path: 'spaces', type: 'yaml', context: 2 } },
    ],
    prepare: ({ pattern, path = '.' }) =>
      explainFileErrors(path, async () => {
        using reached = openPath(roots, path);
        return { preview: `search ${reached.path} for ${pattern}`, subject: reached.path };
      }),
    execute: ({ pattern, path = '.', type, context, '-C': contextToo }, { signal }) =>
      explainFileErrors(path, async () => {
        if (/[\n\r]/.test(pattern)) {
          throw new PegboardError(
            'PEG_INVALID_ARGUMENTS',
            'The pattern contains a line break; lines are matched one by one.',
          );
        }
        const { openTarget } = await import('./search/grep-target.ts');
        using target = await openTarget(roots, path, { type, signal });
        const { folder, files } = target;
        const search = await engine();
        const found = await search({ pattern, folder: folder.self, files, limit: maxMatches + 1, signal });
        const around = context ?? contextToo ?? 0;
        const listed = await showMatches(roots, folder, found.slice(0, maxMatches), around);
        const { shown: lines, matches, context: near } = listed;
        const structure = {
          matches,
          ...(around > 0 && { context: near }),
          filesSearched: files.length,
          ...(target.secret > 0 && { secretFilesSkipped: target.secret }),
          ...((listed.truncated || found.length > maxMatches) && { truncated: true }),
        };
        if (lines.length === 0)
          lines.push(
            `No line matches ${pattern} (${files.length === 1 ? 'one file' : `${files.length} files`} searched).`,
          );
        if (found.length > maxMatches)
          lines.push(`[there are more than ${maxMatches} matches: narrow the pattern, path or type]`);
        if (target.secret > 0)
          lines.push(
            target.secret === 1
              ? '[1 file that may hold secrets was not searched: read shows it when a person agrees]'
              : `[${target.secret} files that may hold secrets were not searched: read shows them when a person agrees]`,
          );
        const hits = new Set(found.map(({ file }) => join(folder.path, file)));
        return shownFrom({ roots, origins }, hits, textResult(lines.join('\n'), structure));
      }),
  });
}
