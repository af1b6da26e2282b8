import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PegboardError } from 'pegboard';
import { makePrivateFolder, writeFileAtomically } from 'pegboard/kit';
import type { PageDatabase } from './page-messages.ts';

/** A file of a message. */
export interface PageFile {
  readonly id: string;
  readonly name: string;
  /** As its sender called it: nothing that can be relied on. */
  readonly type: string;
  readonly bytes: number;
}

/** The files of the chats in the page, byte for byte, for 90 days. */
export interface PageFiles {
  add(file: Pick<PageFile, 'name' | 'type'>, bytes: Buffer): Promise<PageFile>;
  /** Throws PEG_USAGE when there is none, or it is not kept any more. */
  read(id: string): Promise<{ readonly file: PageFile; readonly content: Buffer }>;
  find(ids: readonly string[]): Promise<readonly PageFile[]>;
  /** By message. */
  of(messages: readonly number[]): Promise<ReadonlyMap<number, readonly PageFile[]>>;
}

const maxNameLength = 120;

/** `folder` is made with the first file. */
export function createPageFiles(database: PageDatabase, folder: string): PageFiles {
  const unknown = (): PegboardError =>
    new PegboardError('PEG_USAGE', 'This file is not kept any more. Files of a chat are kept for 90 days.');
  const columns = ['id', 'name', 'type', 'bytes'] as const;
  return {
    async add({ name, type }, content) {
      const id = randomBytes(16).toString('base64url');
      const file = { id, name: cleanName(name), type: cleanType(type), bytes: content.length };
      makePrivateFolder(folder);
      await writeFileAtomically(join(folder, id), content, 0o600);
      const db = await database.open();
      const row = { ...file, message: null, at: new Date().toISOString() };
      await db.insertInto('page_files').values(row).execute();
      return file;
    },
    async read(id) {
      const db = await database.existing();
      const file = await db?.selectFrom('page_files').select(columns).where('id', '=', id).executeTakeFirst();
      if (!file) throw unknown();
      try {
        return { file, content: await readFile(join(folder, file.id)) };
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw unknown();
        throw cause;
      }
    },
    async find(ids) {
      if (ids.length === 0) return [];
      const db = await database.existing();
      const found = await db?.selectFrom('page_files').select(columns).where('id', 'in', ids).execute();
      return found?.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id)) ?? [];
    },
    async of(messages) {
      if (messages.length === 0) return new Map();
      const db = await database.existing();
      const rows = await db
        ?.selectFrom('page_files')
        .select([...columns, 'message'])
        .where('message', 'in', messages)
        .orderBy('at')
        .execute();
      const byMessage = Map.groupBy(rows ?? [], ({ message }) => message!);
      return new Map(
        [...byMessage].map(([message, files]) => [
          message,
          files.map(({ id, name, type, bytes }) => ({ id, name, type, bytes })),
        ]),
      );
    },
  };
}

/** One line in which every character can be seen, without folders. */
const cleanName = (name: string): string =>
  name
    .replaceAll(/^.*[/\\]/gs, '')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, '')
    .trim()
    .slice(0, maxNameLength)
    .toWellFormed() || 'file';

const cleanType = (type: string): string => (/^[\w.+-]{1,60}\/[\w.+-]{1,80}$/.test(type) ? type : '');
