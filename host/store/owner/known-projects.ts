import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonFile, writePrivateFile } from '../../core/files/json-file.ts';
import { realPathOf } from '../../core/files/paths.ts';
import { userStateFolder, type User } from '../../core/platform/places.ts';

const folderOfMarks = (user: User): string => join(userStateFolder(user), 'projects');

const markOf = (root: string, user: User): string =>
  join(folderOfMarks(user), `${hash('sha256', realPathOf(root)).slice(0, 32)}.json`);

/** Whether the user trusts what is written in the project with this folder. */
export const isTrustedProject = (root: string, user: User): boolean =>
  readPath(markOf(root, user)) === realPathOf(root);

export const trustProject = (root: string, user: User): Promise<void> => {
  const mark = { path: realPathOf(root), since: new Date().toISOString() };
  return writePrivateFile(markOf(root, user), `${JSON.stringify(mark, null, 2)}\n`);
};

/** False: it was not trusted. */
export async function distrustProject(root: string, user: User): Promise<boolean> {
  const wasTrusted = isTrustedProject(root, user);
  await rm(markOf(root, user), { force: true });
  return wasTrusted;
}

/** The folders of all trusted projects. */
export function trustedProjects(user: User): readonly string[] {
  const folder = folderOfMarks(user);
  try {
    return readdirSync(folder).flatMap((name) => readPath(join(folder, name)) ?? []);
  } catch {
    return [];
  }
}

function readPath(file: string): string | undefined {
  const { path } = (readJsonFile(file) ?? {}) as { readonly path?: unknown };
  return typeof path === 'string' ? path : undefined;
}
