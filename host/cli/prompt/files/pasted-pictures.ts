import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { User } from '../../../core/platform/places.ts';
import { pictureReader, type PictureReader } from '../../../core/platform/clipboard.ts';
import { mediaTypeOf } from '../../../core/files/media-type.ts';
import { realPathOf } from '../../../core/files/paths.ts';
import { createFile } from '../../../core/files/write-file-atomically.ts';
import { mentionOf } from './mentions.ts';

const run = promisify(execFile);
const timeoutMs = 10_000;
const maxPrintedBytes = 64 * 1024 * 1024;

/** Pictures that a person pastes at the prompt, as files of this user alone until it is disposed. */
export interface PastedPictures extends AsyncDisposable {
  /** A mention of the picture that the clipboard holds, or why there is none. */
  take(): Promise<{ readonly mention: string } | { readonly problem: string }>;
  /** Whether the file at a real path is such a picture. */
  has(path: string): boolean;
}

export function createPastedPictures(user: User): PastedPictures {
  let folder: Promise<string> | undefined;
  const taken = new Set<string>();
  return {
    has: (path) => taken.has(path),
    async take() {
      const reader = pictureReader({ environment: user.env });
      if (!reader)
        return {
          problem:
            'The clipboard can’t be reached from here: with a desktop, install wl-clipboard or xclip. Or write @ and the path of the picture.',
        };
      const bytes = await read(reader, user);
      if (mediaTypeOf(bytes) !== 'image/png')
        return { problem: 'The clipboard holds no picture. Text is pasted with the keys of your terminal.' };
      folder ??= mkdtemp(join(tmpdir(), 'pegboard-pasted-'));
      const path = join(await folder, `picture-${taken.size + 1}.png`);
      await createFile(path, bytes, 0o600);
      taken.add(realPathOf(path));
      return { mention: mentionOf(path) };
    },
    async [Symbol.asyncDispose]() {
      if (folder) await rm(await folder, { recursive: true, force: true });
    },
  };
}

/** Empty where the clipboard holds something else, for which the programs fail. */
async function read(
  { argv: [program, ...args], decode }: PictureReader,
  { env, userHome }: User,
): Promise<Buffer> {
  try {
    const { stdout } = await run(program, args, {
      encoding: 'buffer',
      env,
      cwd: userHome,
      timeout: timeoutMs,
      maxBuffer: maxPrintedBytes,
    });
    return decode(stdout);
  } catch {
    return Buffer.alloc(0);
  }
}
