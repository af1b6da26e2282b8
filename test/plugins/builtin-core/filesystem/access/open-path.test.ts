import {
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { processSurroundings } from '../../../../../host/core/platform/surroundings.ts';
import { openPath } from '../../../../../plugins/builtin-core/filesystem/access/open-path.ts';
import { walkByPath } from '../../../../../plugins/builtin-core/filesystem/access/walk-by-path.ts';
import { createRoots, type Roots } from '../../../../../plugins/builtin-core/filesystem/access/roots.ts';
import { readBytes } from '../../../../../plugins/builtin-core/filesystem/files.ts';
import { replaceFile } from '../../../../../plugins/builtin-core/filesystem/edit/replace-file.ts';
import { temporaryFolder } from '../../../../kit/homes/plugin-home.ts';

let base: string;
let home: string;
let roots: Roots;
beforeEach(() => {
  base = temporaryFolder({
    'home/in/a.txt': 'inside',
    'home/b.txt': 'b',
    'outside/a.txt': 'outside',
    'more/c.txt': 'c',
  });
  home = join(base, 'home');
  roots = createRoots(home, processSurroundings(), [join(base, 'more'), '~/no-such-folder-here'], () => {});
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const openDescriptors = (): number => readdirSync('/proc/self/fd').length;

async function read(path: string): Promise<string> {
  using reached = openPath(roots, path);
  return (await readBytes(reached)).toString();
}

/** Another thread swaps home/in and a link to the outside as fast as it can. */
function swapping(): AsyncDisposable {
  const worker = new Worker(
    `const { renameSync, rmSync, symlinkSync, unlinkSync } = require('node:fs');
     const { workerData: { inside, outside } } = require('node:worker_threads');
     for (;;) {
       try {
         renameSync(inside, inside + '.kept');
         symlinkSync(outside, inside);
         unlinkSync(inside);
       } catch {}
       for (;;) {
         try {
           rmSync(inside, { recursive: true, force: true }); // made by the other side while it was away, and filled perhaps
           renameSync(inside + '.kept', inside);
           break;
         } catch {}
       }
     }`,
    { eval: true, workerData: { inside: join(home, 'in'), outside: join(base, 'outside') } },
  );
  return { [Symbol.asyncDispose]: async () => void (await worker.terminate()) };
}

const descend = (path: string, makeFolders = false) => {
  const found = walkByPath(roots, roots.place(path), { makeFolders });
  return 'link' in found ? roots.place(found.link) : found;
};

describe('a path', () => {
  test('inside a root is reached, relative to the home or absolute', async () => {
    for (const path of ['in/a.txt', join(home, 'in/a.txt'), './in/../in/a.txt', 'in//a.txt'])
      expect(await read(path)).toBe('inside');
    expect(await read(join(base, 'more/c.txt'))).toBe('c');
  });

  test('outside every root is refused, naming the roots', async () => {
    for (const path of [
      '..',
      '../outside/a.txt',
      join(base, 'outside/a.txt'),
      '/etc/passwd',
      'in/../../outside/a.txt',
      `${home}x/a`,
    ])
      await expect(read(path)).rejects.toMatchObject({
        code: 'PEG_DENIED',
        message: expect.stringContaining(home),
      });
  });

  test('through links is followed where it stays inside, refused where it leads out or in circles', async () => {
    symlinkSync('in', join(home, 'folder'));
    symlinkSync(join(home, 'in/a.txt'), join(home, 'absolute'));
    symlinkSync('../more', join(home, 'other-root'));
    symlinkSync('../outside', join(home, 'out'));
    symlinkSync('/etc/passwd', join(home, 'passwd'));
    symlinkSync('loop', join(home, 'loop'));
    expect(await read('folder/a.txt')).toBe('inside');
    expect(await read('absolute')).toBe('inside');
    expect(await read('other-root/c.txt')).toBe('c');
    for (const path of ['out/a.txt', 'out', 'passwd', 'out/../b.txt/../../outside/a.txt'])
      await expect(read(path)).rejects.toMatchObject({ code: 'PEG_DENIED' });
    await expect(read('loop')).rejects.toThrow(/more than 8 symbolic links/);
  });

  test('that is not there, or goes through a file, says so', async () => {
    await expect(read('in/none.txt')).rejects.toThrow('does not exist');
    await expect(read('none/at/all.txt')).rejects.toThrow('does not exist');
    await expect(read('b.txt/x')).rejects.toThrow('b.txt is not a folder');
  });

  test('to a pipe or device is refused without waiting for it', async () => {
    expect(spawnSync('mkfifo', [join(home, 'pipe')]).status).toBe(0);
    await expect(read('pipe')).rejects.toThrow('is a device, pipe or socket');
  });

  test('leaves no descriptor open', async () => {
    const before = openDescriptors();
    for (let index = 0; index < 50; index++) {
      await read('in/a.txt');
      await read('../outside/a.txt').catch(() => {});
      await read('none/x').catch(() => {});
      await read('b.txt/x').catch(() => {});
    }
    expect(openDescriptors()).toBeLessThanOrEqual(before + 1);
  });
});

describe.skipIf(process.platform !== 'linux')('while a folder is swapped for a link that leads out', () => {
  test('nothing outside is ever read', async () => {
    await using swap = swapping();
    void swap;
    const seen = new Map<string, number>();
    for (let index = 0; index < 5_000 || seen.size < 2; index++) {
      const found = await read('in/a.txt').catch(() => 'refused');
      seen.set(found, (seen.get(found) ?? 0) + 1);
    }
    expect([...seen.keys()].sort()).toEqual(['inside', 'refused']);
  });

  test.each([true, false])(
    'nothing outside is ever written, folders made on the way: %s',
    async (makeFolders) => {
      let written = 0;
      let refused = 0;
      {
        await using swap = swapping();
        void swap;
        for (let index = 0; index < 500 || written === 0 || refused === 0; index++) {
          try {
            using reached = openPath(roots, 'in/new.txt', { makeFolders });
            await replaceFile(reached, Buffer.from('x'));
            written++;
          } catch {
            refused++;
          }
        }
      }
      expect(readdirSync(join(base, 'outside'))).toEqual(['a.txt']);
      expect(readFileSync(join(base, 'outside/a.txt'), 'utf8')).toBe('outside');
    },
  );
});

describe('without /proc', () => {
  test('links that lead out are refused, also in the middle', () => {
    symlinkSync('../outside', join(home, 'out'));
    symlinkSync('/etc/passwd', join(home, 'passwd'));
    for (const path of ['out/a.txt', 'passwd', 'out/new/x.txt'])
      expect(() => descend(path, true), path).toThrow(/outside the folders/);
    expect(existsSync(join(base, 'outside/new'))).toBe(false);
  });

  test('a file that was replaced after it was looked at is refused', async () => {
    const found = descend('b.txt');
    if (!('open' in found)) throw new Error('b.txt is no link');
    rmSync(join(home, 'b.txt'));
    writeFileSync(join(home, 'b2.txt'), 'other');
    mkdirSync(join(home, 'x'));
    symlinkSync('b2.txt', join(home, 'b.txt'));
    await expect(found.open(constants.O_RDONLY)).rejects.toThrow(/ELOOP|replaced/);
  });

  test('missing folders are made', () => {
    descend('new/deep/x.txt', true);
    expect(existsSync(join(home, 'new/deep'))).toBe(true);
  });
});
