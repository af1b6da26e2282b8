import { join } from 'node:path';
import { PegboardError, defineTool, type Tool } from 'pegboard';
import type { FileAccess } from './access/file-access.ts';
import { openPath } from './access/open-path.ts';
import { explainFileErrors } from './file-error.ts';
import type { LineSearchEngine } from './search/line-search.ts';
import { shownFrom } from './access/origin.ts';
import { grepResult, maxMatches, toGrepResult } from './search/grep-result.ts';
import { showMatches } from './search/show-matches.ts';

const maxContext = 50;
const maxPatternLength = 10_000;

const fileType = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  description: 'Only files of this type: js, ts, py, go, md, …',
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
        type: fileType,
        context: {
          type: 'integer',
          minimum: 0,
          maximum: maxContext,
          description: 'Lines to show before and after each match. Default 0.',
        },
        '-C': { type: 'integer', minimum: 0, maximum: maxContext, description: 'The same as context.' },
      },
    },
    outputSchema: grepResult,
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
        const listed = await showMatches(roots, folder, found.lines.slice(0, maxMatches), {
          context: around,
          signal,
        });
        const result = toGrepResult(pattern, target, {
          ...listed,
          hasContext: around > 0,
          binary: [...found.binary, ...listed.binary],
          isMore: found.lines.length > maxMatches,
        });
        const hits = new Set(found.lines.map(({ file }) => join(folder.path, file)));
        return shownFrom({ roots, origins }, hits, result);
      }),
  });
}
