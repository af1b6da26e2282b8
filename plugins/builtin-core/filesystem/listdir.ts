import { lstatSync, readlinkSync } from 'node:fs';
import { defineTool, type Tool } from 'pegboard';
import type { FileAccess } from './access/file-access.ts';
import { explainFileErrors } from './file-error.ts';
import { shownFrom } from './access/origin.ts';
import { entriesOf, kindOf, type WalkedEntry } from './access/entries.ts';

const maxItems = 10_000;

export function createListdir({ roots, origins }: FileAccess): Tool {
  return defineTool({
    name: 'listdir',
    title: 'List folder',
    description:
      'Lists a folder: type, size in bytes, time of modification and name of everything in it, hidden files too. With recursive also its subfolders, except .git and folders that .gitignore excludes.',
    category: 'files',
    tags: ['folder', 'directory', 'ls', 'tree'],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    timeout: 5,
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: {
        path: {
          type: 'string',
          minLength: 1,
          description: 'The folder, absolute or relative to the home; "." is the home.',
        },
        recursive: { type: 'boolean', default: false, description: 'List subfolders too.' },
      },
    },
    examples: [{ input: { path: '.' } }, { input: { path: 'spaces', recursive: true } }],
    execute: ({ path, recursive = false }, { signal }) =>
      explainFileErrors(path, async () => {
        const { searchFolder } = await import('./search/search-folder.ts');
        using folder = searchFolder(roots, path);
        const rows: Row[] = [];
        let left = 0;
        const entries = recursive ? folder.entries(signal) : directEntries(folder.self);
        for await (const entry of entries) {
          if (rows.length < maxItems) rows.push(toRow(entry));
          else left++;
        }
        return shownFrom({ roots, origins }, [folder.path], toTable(folder.path, rows, left));
      }),
  });
}

interface Row {
  readonly type: string;
  readonly size: string;
  readonly modified: string;
  readonly name: string;
}

function* directEntries(folder: string): Generator<WalkedEntry> {
  for (const entry of entriesOf(folder)) {
    yield { path: entry.name, kind: kindOf(entry), at: `${folder}/${entry.name}`, ignored: false };
  }
}

function toRow({ path, kind, at, ignored }: WalkedEntry): Row {
  const stats = lstatSync(at, { throwIfNoEntry: false });
  const name =
    kind === 'folder'
      ? `${path}/${ignored ? ' (ignored by git, not listed)' : ''}`
      : kind === 'link'
        ? `${path} -> ${targetOf(at)}`
        : path;
  return {
    type: kind,
    size: kind === 'file' ? String(stats?.size ?? '?') : '-',
    modified: stats ? `${stats.mtime.toISOString().slice(0, 19)}Z` : '?',
    name,
  };
}

function targetOf(at: string): string {
  try {
    return readlinkSync(at);
  } catch {
    return '?';
  }
}

function toTable(path: string, rows: readonly Row[], left: number): string {
  if (rows.length === 0) return `${path} is empty.`;
  const width = Math.max(...rows.map(({ size }) => size.length));
  const lines = rows.map(
    ({ type, size, modified, name }) => `${type.padEnd(6)}  ${size.padStart(width)}  ${modified}  ${name}`,
  );
  if (left > 0) lines.push(`[${left} more left out: ${maxItems} are listed at most; list a subfolder]`);
  return lines.join('\n');
}
