import { mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Document } from 'yaml';
import type { JsonObject } from '../../api/result.ts';
import { PegboardError } from '../../core/errors.ts';
import { writeFileAtomically } from '../../core/files/write-file-atomically.ts';
import { configFile } from '../../home.ts';
import { withFileLock } from '../../store/files/file-lock.ts';
import { parseJson, toJson } from '../../core/documents/written-numbers.ts';

/**
 * Writes the server's entry to pegboard.yaml; comments and order of the rest stay. Throws PEG_USAGE for a name that is
 * taken, unless it is to be replaced. `isSecret`: only this user can read the file from then on.
 */
export function writeServer(
  home: string,
  name: string,
  entry: JsonObject,
  { replace, isSecret = false }: { readonly replace: boolean; readonly isSecret?: boolean },
): Promise<void> {
  const change = async (document: Document): Promise<void> => {
    const { isMap, isNode } = await import('yaml');
    if (!replace && document.hasIn(['mcpServers', name]))
      throw new PegboardError('PEG_USAGE', `There already is a server ${name}. Nothing was changed.`);
    const servers = document.get('mcpServers', true);
    if (!isMap(servers)) {
      const empty = document.createNode({});
      const comment = isNode(servers) ? servers.comment : undefined;
      if (typeof comment === 'string') empty.commentBefore = comment;
      document.set('mcpServers', empty);
    }
    document.setIn(['mcpServers', name], entry);
    const written = document.get('mcpServers', true);
    if (isMap(written)) written.flow = false;
  };
  return editConfig(home, change, isSecret);
}

/** Sets one value of pegboard.yaml; comments and order of the rest stay. */
export function writeConfigValue(home: string, at: readonly string[], value: unknown): Promise<void> {
  return editConfig(home, async (document) => {
    const { isMap } = await import('yaml');
    for (let depth = 0; depth < at.length; depth++) {
      const place = at.slice(0, depth);
      if (!isMap(document.getIn(place, true))) document.setIn(place, document.createNode({}));
    }
    document.setIn(at, value);
  });
}

/** Removes the entry from the file that has it; returns that file's name, or undefined when there is none. */
export function removeServer(home: string, name: string): Promise<string | undefined> {
  return locked(home, async () => {
    const { parseDocument } = await import('yaml');
    for (const file of [configFile, '.mcp.json']) {
      const path = join(home, file);
      const text = await readIfThere(path);
      if (text === undefined) continue;
      if (file === '.mcp.json') {
        const value = readServers(text, path);
        if (value.mcpServers?.[name] === undefined) continue;
        delete value.mcpServers[name];
        await write(path, `${toJson(value, 2)}\n`);
        return file;
      }
      const document = parseDocument(text);
      refuseBroken(document.errors, path);
      if (!document.hasIn(['mcpServers', name])) continue;
      document.deleteIn(['mcpServers', name]);
      await write(path, document.toString({ lineWidth: 0 }));
      return file;
    }
    return undefined;
  });
}

async function editConfig(
  home: string,
  edit: (document: Document) => Promise<void>,
  isSecret = false,
): Promise<void> {
  const { Document, parseDocument } = await import('yaml');
  await locked(home, async () => {
    const path = join(home, configFile);
    const text = await readIfThere(path);
    const document = text === undefined ? new Document({}) : parseDocument(text);
    refuseBroken(document.errors, path);
    await edit(document);
    await write(path, document.toString({ lineWidth: 0 }), isSecret);
  });
}

/** Commands that read and write the configuration run one after the other. */
async function locked<T>(home: string, work: () => Promise<T>): Promise<T> {
  const data = join(home, 'data');
  await mkdir(data, { recursive: true, mode: 0o700 });
  return await withFileLock(join(data, configFile), work);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
}

/** Writes atomically, through links, with the file's previous mode, or with 0600 where `isSecret`. */
async function write(path: string, text: string, isSecret = false): Promise<void> {
  const target = await realpath(path).catch(() => path);
  await mkdir(dirname(target), { recursive: true });
  const found = await stat(target).catch(() => undefined);
  const mode = found ? found.mode & 0o777 : 0o666 & ~process.umask();
  await writeFileAtomically(target, text, isSecret ? mode & 0o700 : mode);
}

function refuseBroken(errors: readonly Error[], path: string): void {
  const [error] = errors;
  if (!error) return;
  throw new PegboardError(
    'PEG_CONFIG',
    `${path} was left as it is, because it can't be parsed: ${error.message.split('\n')[0]}`,
  );
}

function readServers(text: string, path: string): { mcpServers?: { [name: string]: unknown } } {
  try {
    return parseJson(text) as { mcpServers?: { [name: string]: unknown } };
  } catch (cause) {
    throw new PegboardError(
      'PEG_CONFIG',
      `${path} was left as it is, because it can't be parsed: ${(cause as Error).message}`,
    );
  }
}
