import { mkdir, readFile, realpath, rm, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { asSentence, type JsonObject, PegboardError } from 'pegboard';
import type { User } from 'pegboard/files';
import {
  type ClientFile,
  fileErrorInWords,
  messageOf,
  parseSettings,
  repeatedMembers,
  writeFileAtomically,
} from 'pegboard/kit';
import { noteMadeFolder, takeMadeFolder } from './made-folders.ts';

/** A client's file before and after the change. */
export interface FileChange {
  /** With links resolved, so that they stay. */
  readonly path: string;
  readonly backup: string;
  /** Undefined: there is none. */
  readonly before: string | undefined;
  /** Undefined: the file is removed, because nothing but our entry was in it. */
  readonly after: string | undefined;
  /** The present entry under our name. */
  readonly existing: unknown;
}

const backupOf = (path: string): string => `${path}.before-pegboard`;

/**
 * What the file becomes with `entry` under `name`, or without that entry where it is undefined. A removal restores the
 * file from before Pegboard byte for byte, where nothing else has changed since. Throws PEG_CONFIG for a file that can't
 * be parsed.
 */
export async function planChange(
  file: ClientFile,
  name: string,
  entry: JsonObject | undefined,
): Promise<FileChange> {
  const path = await realpath(file.path).catch(() => file.path);
  const backup = backupOf(path);
  const before = await readIfThere(path);
  const [keys = []] = file.keys;
  const at = [...keys, name];
  const settings = await understand(before ?? '', file);
  checkParents(settings, keys, path);
  const existing = valueAt(settings, at);
  const base = { path, backup, before, existing };
  if (isDeepStrictEqual(existing, entry)) return { ...base, after: before };
  await refuseRepeated(before ?? '', file, at);
  const edited = await edit(before ?? '', file, at, entry);
  // Everything but this entry must have the same values as before the edit.
  const others = without(settings, at);
  if (!isDeepStrictEqual(without(await understand(edited, file), at), others))
    throw new PegboardError(
      'PEG_CONFIG',
      `${path} can't be edited without changing more than that entry. Nothing was changed.`,
    );
  if (entry !== undefined) return { ...base, after: edited };
  const original = await readIfThere(backup);
  if (original === undefined) return { ...base, after: isDeepStrictEqual(others, {}) ? undefined : edited };
  const former = await understand(original, file).catch(() => undefined);
  const isFormer =
    former && valueAt(former, at) === undefined && isDeepStrictEqual(without(former, at), others);
  if (isFormer) return { ...base, after: original };
  return { ...base, after: edited };
}

/**
 * Writes the file atomically with its previous mode, or with 0600 where `isSecret`. The old file is kept beside it; a
 * removal restores its mode. Throws PEG_BUSY when the file has changed since it was planned.
 */
export async function applyChange(
  { path, backup, before, after, existing }: FileChange,
  {
    isRemoval,
    isSecret,
    user,
  }: { readonly isRemoval: boolean; readonly isSecret: boolean; readonly user: User },
): Promise<void> {
  if ((await readIfThere(path)) !== before)
    throw new PegboardError(
      'PEG_BUSY',
      `${path} was changed in the meantime, so it was left as it is. Try again.`,
    );
  const mode = await modeOf(path);
  // A backup from before an older entry of ours is the better one.
  const isNew = existing === undefined || (await readIfThere(backup)) === undefined;
  if (!isRemoval && before !== undefined && isNew) await write(backup, before, mode, user);
  if (after === undefined) await removeFile(path, user);
  else await write(path, after, isSecret ? 0o600 : isRemoval ? await modeOf(backup, mode) : mode, user);
  if (isRemoval) await rm(backup, { force: true });
}

/** With the folders that were made for it, as far as nothing else has come into them. */
async function removeFile(path: string, user: User): Promise<void> {
  await rm(path, { force: true });
  const outermost = await takeMadeFolder(path, user);
  if (outermost === undefined) return;
  for (let folder = dirname(path); folder.startsWith(outermost); folder = dirname(folder)) {
    const isEmpty = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isEmpty) return;
  }
}

/** The file's mode; `otherwise` where there is no file. */
async function modeOf(path: string, otherwise = 0o600): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found ? found.mode & 0o777 : otherwise;
}

async function write(path: string, text: string, mode: number, user: User): Promise<void> {
  try {
    const made = await mkdir(dirname(path), { recursive: true });
    if (made !== undefined) await noteMadeFolder(path, made, user);
    await writeFileAtomically(path, text, mode);
  } catch (cause) {
    throw new PegboardError('PEG_FILES', `${path} can't be written: ${asSentence(fileErrorInWords(cause))}`, {
      cause,
    });
  }
}

/** Clients differ in which of two equal members they read. TOML doesn't allow them. */
async function refuseRepeated(
  text: string,
  { path, format }: ClientFile,
  at: readonly string[],
): Promise<void> {
  if (format === 'toml') return;
  const repeated = (await repeatedMembers(text, at)).find((member) => member.path.length <= at.length);
  if (!repeated) return;
  const lines = repeated.places.map(({ line }) => `${path}:${line}`).join(' and ');
  throw new PegboardError(
    'PEG_CONFIG',
    `"${repeated.path.at(-1)}" occurs more than once in one object: ${lines}. Clients read one of them and ignore the other, so the file was left as it is. Merge them, and try again.`,
  );
}

async function edit(
  text: string,
  { format }: ClientFile,
  at: readonly string[],
  entry: JsonObject | undefined,
): Promise<string> {
  if (format === 'toml') return (await import('./edit-toml.ts')).editToml(text, at, entry);
  const { editJson } = await import('./edit-json.ts');
  return editJson(text, at, entry);
}

async function understand(text: string, { path, format }: ClientFile): Promise<JsonObject> {
  if (text.trim() === '') return {};
  try {
    const settings = await parseSettings(text, format);
    if (typeof settings === 'object' && settings !== null && !Array.isArray(settings))
      return settings as JsonObject;
  } catch (cause) {
    throw new PegboardError(
      'PEG_CONFIG',
      `${path} was left as it is, because it can't be parsed: ${asSentence(messageOf(cause))}`,
    );
  }
  throw new PegboardError('PEG_CONFIG', `${path} was left as it is, because it holds no settings.`);
}

function checkParents(settings: JsonObject, keys: readonly string[], path: string): void {
  for (let depth = 1; depth <= keys.length; depth++) {
    const value = valueAt(settings, keys.slice(0, depth));
    if (value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value)))
      continue;
    throw new PegboardError(
      'PEG_CONFIG',
      `${path} was left as it is, because its ${keys.slice(0, depth).join('.')} is not an object.`,
    );
  }
}

const valueAt = (value: unknown, [key, ...rest]: readonly string[]): unknown => {
  if (key === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return valueAt((value as JsonObject)[key], rest);
};

/** Without the value, and without objects that become empty. */
function without(value: JsonObject, [key, ...rest]: readonly string[]): JsonObject {
  const { [key!]: inner, ...others } = value;
  if (rest.length === 0 || typeof inner !== 'object' || inner === null) return others;
  const left = without(inner as JsonObject, rest);
  return Object.keys(left).length === 0 ? others : { ...value, [key!]: left };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new PegboardError('PEG_FILES', `${path} can't be read: ${asSentence(fileErrorInWords(cause))}`, {
      cause,
    });
  }
}
