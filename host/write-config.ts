import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Document } from 'yaml';
import type { User } from './core/platform/places.ts';
import { mistakeIn } from './core/documents/mistake-in.ts';
import type { JsonObject } from './api/result.ts';
import { PegboardError } from './core/errors.ts';
import { configFile, localConfigFile, mcpFile } from './core/files/config-files.ts';
import { packageRoot, realPathOf } from './core/files/paths.ts';
import { writeFileAtomically } from './core/files/write-file-atomically.ts';
import { keepingTrust } from './store/owner/known-homes.ts';
import { withFileLock } from './store/files/file-lock.ts';
import { writtenLike } from './core/documents/yaml/written-like.ts';
import { parseJson, toJson } from './core/documents/written-numbers.ts';

/**
 * The file that commands write settings of a home to. In the clone that the running program lies in, git doesn't track
 * it, so that no `git pull` conflicts with it.
 */
export const writtenConfigFile = (home: string): string =>
  realPathOf(home) === realPathOf(packageRoot) || existsSync(join(home, localConfigFile))
    ? localConfigFile
    : configFile;

/**
 * Writes the server's entry to the home's configuration; comments and order of the rest stay. Throws PEG_USAGE for a name that is
 * taken, unless it is to be replaced.
 */
export function writeServer(
  home: string,
  user: User,
  name: string,
  entry: JsonObject,
  { replace }: { readonly replace: boolean },
): Promise<void> {
  const change = async (document: Document): Promise<void> => {
    const { isMap, isNode } = await import('yaml');
    if (!replace && (await isConfigured(home, name)))
      throw new PegboardError('PEG_USAGE', `There is already a server ${name}. Nothing was changed.`);
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
  return editConfig(home, user, change);
}

/** Sets one value of the home's configuration; comments and order of the rest stay. */
export function writeConfigValue(
  home: string,
  user: User,
  at: readonly string[],
  value: unknown,
): Promise<void> {
  return editConfig(home, user, async (document) => {
    const { isMap } = await import('yaml');
    for (let depth = 0; depth < at.length; depth++) {
      const place = at.slice(0, depth);
      if (!isMap(document.getIn(place, true))) document.setIn(place, document.createNode({}));
    }
    document.setIn(at, value);
  });
}

/** Appends to a list of the home's configuration what it lacks; comments and order of the rest stay. */
export function addToConfigList(
  home: string,
  user: User,
  at: readonly string[],
  items: readonly string[],
): Promise<void> {
  return editConfig(home, user, async (document) => {
    const { isMap, isSeq } = await import('yaml');
    for (let depth = 0; depth < at.length; depth++) {
      const place = at.slice(0, depth);
      if (!isMap(document.getIn(place, true))) document.setIn(place, document.createNode({}));
    }
    const list = document.getIn(at, true);
    const known = isSeq(list) ? (list.toJSON() as readonly unknown[]) : [];
    const added = items.filter((item) => !known.includes(item));
    if (isSeq(list)) for (const item of added) list.add(document.createNode(item));
    else document.setIn(at, document.createNode([...added]));
  });
}

/** Removes one value from the home's configuration, wherever it is written; comments and order of the rest stay. */
export function removeConfigValue(home: string, user: User, at: readonly string[]): Promise<void> {
  return locked(home, user, async () => {
    const { parseDocument } = await import('yaml');
    // What holds on this machine alone is removed last: until then, it hides the other.
    for (const file of [configFile, localConfigFile]) {
      const path = join(home, file);
      const text = await readIfThere(path);
      if (text === undefined) continue;
      const document = parseDocument(text);
      refuseBroken(document.errors, path, text);
      if (!document.hasIn(at)) continue;
      document.deleteIn(at);
      await write(path, writtenLike(text, document));
    }
  });
}

/** Turns a server on or off, in one of Pegboard's own files, or in .mcp.json if those don't have it. */
export async function writeServerEnabled(
  home: string,
  user: User,
  name: string,
  enabled: boolean,
): Promise<void> {
  if (await isConfigured(home, name))
    return await writeConfigValue(home, user, ['mcpServers', name, 'enabled'], enabled);
  await locked(home, user, () =>
    changeShared(home, (servers) => {
      const entry = servers[name];
      if (typeof entry !== 'object' || entry === null) return false;
      // The word of other clients, which would contradict.
      const { disabled: _, ...rest } = entry as { readonly [key: string]: unknown };
      servers[name] = { ...rest, enabled };
      return true;
    }),
  );
}

/** Whether one of Pegboard's own files has the server. */
async function isConfigured(home: string, name: string): Promise<boolean> {
  const { parseDocument } = await import('yaml');
  const texts = await Promise.all([configFile, localConfigFile].map((file) => readIfThere(join(home, file))));
  return texts.some((text) => text !== undefined && parseDocument(text).hasIn(['mcpServers', name]));
}

/**
 * Removes the entry from Pegboard's own files, or from .mcp.json if those don't have it. Returns the names of the
 * changed files.
 */
export function removeServer(home: string, user: User, name: string): Promise<readonly string[]> {
  return locked(home, user, async () => {
    const { parseDocument } = await import('yaml');
    const changed: string[] = [];
    for (const file of [localConfigFile, configFile]) {
      const path = join(home, file);
      const text = await readIfThere(path);
      if (text === undefined) continue;
      const document = parseDocument(text);
      refuseBroken(document.errors, path, text);
      if (!document.hasIn(['mcpServers', name])) continue;
      document.deleteIn(['mcpServers', name]);
      await write(path, writtenLike(text, document));
      changed.push(file);
    }
    if (changed.length > 0) return changed;
    const isRemoved = await changeShared(home, (servers) => {
      if (servers[name] === undefined) return false;
      delete servers[name];
      return true;
    });
    return isRemoved ? [mcpFile] : [];
  });
}

type SharedServers = { [name: string]: unknown };

/** Writes .mcp.json if `change` says that it has changed its servers. */
async function changeShared(home: string, change: (servers: SharedServers) => boolean): Promise<boolean> {
  const path = join(home, mcpFile);
  const text = await readIfThere(path);
  const value = text === undefined ? {} : readServers(text, path);
  if (!value.mcpServers || !change(value.mcpServers)) return false;
  await write(path, `${toJson(value, 2)}\n`);
  return true;
}

async function editConfig(
  home: string,
  user: User,
  edit: (document: Document) => Promise<void>,
): Promise<void> {
  const { Document, parseDocument } = await import('yaml');
  await locked(home, user, async () => {
    const file = writtenConfigFile(home);
    const path = join(home, file);
    const text = await readIfThere(path);
    const document = text === undefined ? new Document({}) : parseDocument(text);
    if (text === undefined && file === localConfigFile) document.commentBefore = localComment;
    refuseBroken(document.errors, path, text ?? '');
    await edit(document);
    await write(path, writtenLike(text ?? '', document));
  });
}

const localComment =
  ' Settings of this machine, on top of pegboard.yaml. `pegboard` writes them here; git ignores this file.';

/** Commands that read and write the configuration run one after the other. */
async function locked<T>(home: string, user: User, work: () => Promise<T>): Promise<T> {
  const data = join(home, 'data');
  await mkdir(data, { recursive: true, mode: 0o700 });
  return await withFileLock(join(data, configFile), () => keepingTrust(home, user, work));
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
}

/** Writes atomically, through links, with the file's previous mode. */
async function write(path: string, text: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  await mkdir(dirname(target), { recursive: true });
  const found = await stat(target).catch(() => undefined);
  const mode = found ? found.mode & 0o777 : 0o666 & ~process.umask();
  await writeFileAtomically(target, text, mode);
}

function refuseBroken(errors: readonly Error[], path: string, text: string): void {
  if (errors.length === 0) return;
  throw new PegboardError(
    'PEG_CONFIG',
    `${path} was left as it is, because it can't be parsed: ${mistakeIn(text, 'yaml') ?? 'it is not valid YAML'}`,
  );
}

function readServers(text: string, path: string): { mcpServers?: SharedServers } {
  try {
    return parseJson(text) as { mcpServers?: SharedServers };
  } catch {
    throw new PegboardError(
      'PEG_CONFIG',
      `${path} was left as it is, because it can't be parsed: ${mistakeIn(text, 'json') ?? 'it is not valid JSON'}`,
    );
  }
}
