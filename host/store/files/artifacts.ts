import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Artifacts } from '../../api/store/artifacts.ts';
import { PegboardError } from '../../core/errors.ts';
import { createFile } from '../../core/files/write-file-atomically.ts';
import { fileErrorInWords } from '../../core/system-error.ts';
import { asSentence } from '../../core/text/as-sentence.ts';

/** Limits of what is kept; the oldest are removed first when something new is written. */
export const artifactLimits = { bytes: 200 * 1024 * 1024, ageMs: 7 * 24 * 3_600_000 } as const;

/** Of 60 random bits, short enough for a model to repeat. */
export const newArtifactId = (): string => randomBytes(8).toString('base64url');
const idPattern = /^[A-Za-z0-9_-]{4,32}$/;

/** One private file for each artifact. Writing rejects when the folder can't be written. */
export function createArtifacts(
  folder: string,
  limits: { readonly bytes: number; readonly ageMs: number } = artifactLimits,
): Artifacts {
  const pathOf = (id: string): string => join(folder, `${id}.txt`);
  const load = async (id: string): Promise<string | undefined> => {
    try {
      return await readFile(pathOf(id), 'utf8');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new PegboardError(
        'PEG_NO_ARTIFACT',
        `The artifact ${id} can't be read: ${asSentence(fileErrorInWords(cause))}`,
        { cause },
      );
    }
  };

  return {
    async write(text) {
      const id = newArtifactId();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await deleteOldest(folder, Buffer.byteLength(text), { limits });
      await createFile(pathOf(id), text, 0o600);
      return id;
    },
    read: artifactReader(load),
  };
}

/** `load` returns undefined when there is none of that id. */
export function artifactReader(load: (id: string) => Promise<string | undefined>): Artifacts['read'] {
  /** Paging reads the same artifact repeatedly. */
  let last: { readonly id: string; readonly text: string } | undefined;
  return async (id, offset, limit) => {
    if (last?.id !== id) {
      const found = idPattern.test(id) ? await load(id) : undefined;
      if (found === undefined) throw unknown(id);
      last = { id, text: found };
    }
    const { text } = last;
    return { text: text.slice(offset, offset + limit), offset, total: text.length };
  };
}

function unknown(id: string): PegboardError {
  return new PegboardError(
    'PEG_NO_ARTIFACT',
    `There is no artifact "${id}". Artifacts are kept for ${artifactLimits.ageMs / 86_400_000} days; run the tool again to get a new one.`,
  );
}

/**
 * Removes files that are too old, then the oldest ones until `coming` more bytes fit; returns how many. Missing
 * files are ignored.
 */
export async function deleteOldest(
  folder: string,
  coming: number,
  {
    limits = artifactLimits,
    now = Date.now(),
    isOwn = (name) => name.endsWith('.txt'),
  }: {
    readonly limits?: { readonly bytes: number; readonly ageMs: number };
    readonly now?: number;
    /** Whether a file of this name is one of those. Default: artifacts are. */
    readonly isOwn?: (name: string) => boolean;
  },
): Promise<number> {
  const all = await readdir(folder).catch(() => []);
  const names = all.filter(isOwn);
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const stats = await stat(path).catch(() => undefined);
      return stats && { path, bytes: stats.size, at: stats.mtimeMs };
    }),
  );
  const newestFirst = files.filter((file) => file !== undefined).sort((a, b) => b.at - a.at);
  let kept = coming;
  let removed = 0;
  for (const { path, bytes, at } of newestFirst) {
    kept += bytes;
    if (kept <= limits.bytes && now - at <= limits.ageMs) continue;
    await unlink(path).catch(() => {});
    removed++;
  }
  return removed;
}
