import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonFile, writePrivateFile } from '../../core/files/json-file.ts';
import { realPathOf } from '../../core/files/paths.ts';
import { userStateFolder } from '../../core/platform/places.ts';

const folderOfMarks = (): string => join(userStateFolder(), 'projects');

const markOf = (root: string): string =>
  join(folderOfMarks(), `${hash('sha256', realPathOf(root)).slice(0, 32)}.json`);

/** Whether the user trusts what is written in the project with this folder. */
export const isTrustedProject = (root: string): boolean => readPath(markOf(root)) === realPathOf(root);

export const trustProject = (root: string): Promise<void> => {
  const mark = { path: realPathOf(root), since: new Date().toISOString() };
  return writePrivateFile(markOf(root), `${JSON.stringify(mark, null, 2)}\n`);
};

/** False: it was not trusted. */
export async function distrustProject(root: string): Promise<boolean> {
  const wasTrusted = isTrustedProject(root);
  await rm(markOf(root), { force: true });
  return wasTrusted;
}

/** The folders of all trusted projects. */
export function trustedProjects(): readonly string[] {
  const folder = folderOfMarks();
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
