import { lstatSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { defineTool, textResult, type Tool, type ToolCall } from 'pegboard';
import type { FileAccess } from './access/file-access.ts';
import { openPath } from './access/open-path.ts';
import { explainFileErrors } from './file-error.ts';
import { namesFrom } from './access/origin.ts';
import { entriesOf, kindOf, type WalkedEntry } from './access/entries.ts';
import type { SearchFolder } from './search/search-folder.ts';
import { shownName } from './shown-name.ts';

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
    permission: { kind: 'path', argument: 'path' },
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: {
        path: {
          type: 'string',
          minLength: 1,
          description: 'The folder, relative to the project or home.',
        },
        recursive: { type: 'boolean', default: false, description: 'List subfolders too.' },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['path', 'entries'],
      properties: {
        path: { type: 'string' },
        entries: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'path', 'type'],
            properties: {
              name: { type: 'string' },
              path: { type: 'string' },
              type: { enum: ['file', 'folder', 'link', 'other'] },
              size: { type: 'integer' },
              modified: { type: 'string' },
              target: { type: 'string' },
              ignored: { type: 'boolean' },
            },
          },
        },
        truncated: { type: 'boolean' },
      },
    },
    examples: [{ input: { path: '.' } }, { input: { path: 'spaces', recursive: true } }],
    prepare: ({ path }) =>
      explainFileErrors(path, async () => {
        using reached = openPath(roots, path);
        return { preview: `list ${reached.path}`, subject: reached.path };
      }),
    execute: ({ path, recursive = false }, { signal, isDenied }) =>
      explainFileErrors(path, async () => {
        const { searchFolder } = await import('./search/search-folder.ts');
        using folder = searchFolder(roots, path, isDenied);
        const listed: Entry[] = [];
        let left = 0;
        const entries = recursive ? folder.entries(signal) : directEntries(folder, isDenied);
        for await (const entry of entries) {
          if ((listed.length + left) % stride === stride - 1) await turnOfLoop();
          signal.throwIfAborted();
          if (listed.length < maxItems) listed.push(toEntry(entry, folder));
          else left++;
        }
        const table = toTable(folder.path, listed.map(toRow), left);
        const structure = {
          path: folder.path,
          entries: listed.map(toItem),
          ...(left > 0 && { truncated: true }),
        };
        const ways = listed.map(({ relative }) => relative);
        return namesFrom({ roots, origins }, folder.path, ways, textResult(table, structure));
      }),
  });
}

/** Entries between two turns of the event loop. */
const stride = 500;

interface Entry {
  /** Relative to the listed folder. */
  readonly relative: string;
  /** As other tools take it. */
  readonly path: string;
  readonly type: WalkedEntry['kind'];
  /** Bytes. Files only. */
  readonly size: number | undefined;
  /** ISO 8601. */
  readonly modified: string | undefined;
  /** Links only. */
  readonly target: string | undefined;
  readonly ignored: boolean;
}

function* directEntries(
  { path, self }: SearchFolder,
  isDenied: ToolCall['isDenied'],
): Generator<WalkedEntry> {
  for (const entry of entriesOf(self)) {
    if (isDenied?.(join(path, entry.name))) continue;
    yield { path: entry.name, kind: kindOf(entry), at: `${self}/${entry.name}`, ignored: false };
  }
}

function toEntry({ path, kind, at, ignored }: WalkedEntry, folder: SearchFolder): Entry {
  const stats = lstatSync(at, { throwIfNoEntry: false });
  return {
    relative: path,
    path: folder.nameOf(path),
    type: kind,
    size: kind === 'file' ? stats?.size : undefined,
    modified: stats?.mtime.toISOString(),
    target: kind === 'link' ? targetOf(at) : undefined,
    ignored,
  };
}

function toItem({ path, type, size, modified, target, ignored }: Entry) {
  return {
    name: basename(path),
    path,
    type,
    ...(size !== undefined && { size }),
    ...(modified !== undefined && { modified }),
    ...(target !== undefined && { target }),
    ...(ignored && { ignored }),
  };
}

interface Row {
  readonly type: string;
  readonly size: string;
  readonly modified: string;
  readonly name: string;
}

function toRow({ relative, type, size, modified, target, ignored }: Entry): Row {
  const name =
    type === 'folder'
      ? `${relative}/${ignored ? ' (ignored by git, not listed)' : ''}`
      : type === 'link'
        ? `${relative} -> ${target ?? '?'}`
        : relative;
  return {
    type,
    size: type === 'file' ? String(size ?? '?') : '-',
    modified: modified === undefined ? '?' : `${modified.slice(0, 19)}Z`,
    name: shownName(name),
  };
}

function targetOf(at: string): string | undefined {
  try {
    return readlinkSync(at);
  } catch {
    return undefined;
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
