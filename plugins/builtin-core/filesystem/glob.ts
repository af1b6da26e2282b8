import { join } from 'node:path';
import { PegboardError, defineTool, textResult, type Tool } from 'pegboard';
import type { FileAccess } from './access/file-access.ts';
import { openPath } from './access/open-path.ts';
import { namesFrom } from './access/origin.ts';
import { explainFileErrors } from './file-error.ts';
import { shownName } from './shown-name.ts';

const maxFiles = 10_000;
/** Longer than any real pattern. */
const maxPatternLength = 1_000;

export function createGlob({ roots, origins }: FileAccess): Tool {
  return defineTool({
    name: 'glob',
    title: 'Find files by name',
    description:
      'Finds files whose path matches a pattern: **/*.ts, src/**/*.{json,yaml}, docs/*.md. Gives sorted paths, relative to the project or home. Leaves out .git and what .gitignore excludes, unless path or pattern name such a folder.',
    category: 'files',
    tags: ['file', 'find', 'search', 'name', 'pattern', 'wildcard'],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    timeout: 5,
    permission: { kind: 'path', argument: 'path' },
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['pattern'],
      properties: {
        pattern: {
          type: 'string',
          minLength: 1,
          maxLength: maxPatternLength,
          description: '* and ? within a name, ** across folders, [abc], {a,b}.',
        },
        path: {
          type: 'string',
          minLength: 1,
          description: 'Folder to search. Default: the project or home.',
        },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['files'],
      properties: {
        files: {
          type: 'array',
          items: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } },
        },
        truncated: { type: 'boolean' },
      },
    },
    examples: [
      { input: { pattern: '**/*.md' } },
      { input: { pattern: '*.{yaml,yml}', path: 'spaces/example' } },
    ],
    prepare: ({ pattern, path = '.' }) =>
      explainFileErrors(path, async () => {
        using reached = openPath(roots, join(path, splitPattern(pattern).prefix));
        return { preview: `find ${pattern} in ${path}`, subject: reached.path };
      }),
    execute: ({ pattern, path = '.' }, { signal, isDenied }) =>
      explainFileErrors(path, async () => {
        const { prefix, rest } = splitPattern(pattern);
        const { toPathMatcher } = await import('./search/glob-pattern.ts');
        const { searchFolder } = await import('./search/search-folder.ts');
        const matches = toPathMatcher(rest);
        using folder = searchFolder(roots, join(path, prefix), isDenied);
        const found: string[] = [];
        let left = 0;
        for await (const entry of folder.entries(signal)) {
          if (entry.kind !== 'file' || entry.ignored || !matches(entry.path)) continue;
          if (found.length < maxFiles) found.push(entry.path);
          else left++;
        }
        if (found.length === 0)
          return textResult(`No file in ${folder.path} matches ${pattern}.`, { files: [] });
        const names = found.map((way) => folder.nameOf(way));
        const files = names.map((name) => ({ path: name }));
        if (left > 0)
          names.push(`[${left} more left out: ${maxFiles} are shown at most; narrow the pattern]`);
        const structure = { files, ...(left > 0 && { truncated: true }) };
        const shown = textResult(names.map(shownName).join('\n'), structure);
        return namesFrom({ roots, origins }, folder.path, found, shown);
      }),
  });
}

/** Splits off the folders that a pattern names literally. Only those are walked, even if .gitignore excludes them. */
export function splitPattern(pattern: string): { readonly prefix: string; readonly rest: string } {
  const names = pattern.replace(/^(\.\/)+/, '').split('/');
  if (names[0] === '' || names.includes('..')) {
    throw new PegboardError(
      'PEG_INVALID_ARGUMENTS',
      `The pattern ${pattern} leaves the searched folder. Name the folder in "path" and match within it.`,
    );
  }
  const wild = names.findIndex((name) => /[*?[{\\]/.test(name));
  const at = wild === -1 ? names.length - 1 : wild;
  return { prefix: names.slice(0, at).join('/'), rest: names.slice(at).join('/') };
}
