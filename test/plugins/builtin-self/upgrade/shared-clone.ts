import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { openGitClone, type GitClone } from '../../../kit/homes/git-clone.ts';

const remember = ['call', 'memory_store', 'content=The key is under the mat', '--yes'];

/** A clone that remembers something, for all tests of a file: each leaves it at a version that works, and as clean as it was. */
export function sharedClone(): () => GitClone {
  let clone: GitClone;
  beforeAll(async () => {
    clone = await openGitClone();
    expect(clone.run(remember).code).toBe(0);
  });
  afterAll(() => clone[Symbol.asyncDispose]());
  return () => clone;
}

/** A new commit of the repository that the clone follows, made by `change` on what the clone has. Returns its id. */
export async function release(
  { folder, upstream, git }: GitClone,
  change: (file: (name: string) => string) => Promise<void>,
): Promise<string> {
  // Without the releases of earlier tests.
  git(upstream, 'reset', '-q', '--hard', git(folder, 'rev-parse', 'HEAD'));
  await change((name) => join(upstream, name));
  git(upstream, 'add', '-A');
  git(upstream, 'commit', '-qm', 'core: a second version');
  return git(upstream, 'rev-parse', 'HEAD');
}

export const news = async (file: (name: string) => string): Promise<void> => {
  const path = file('CHANGELOG.md');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('\n- ', '\n- **Something new** for everybody.\n- '));
  await writeFile(file('host/something-new.ts'), 'export {};\n');
};

export const isAsBefore = (clone: GitClone, from: string): void => {
  expect(clone.git(clone.folder, 'rev-parse', 'HEAD')).toBe(from);
  expect(clone.git(clone.folder, 'status', '--porcelain')).toBe('');
  expect(existsSync(join(clone.folder, '.pegboard-upgrade'))).toBe(false);
  expect(clone.run(['memory', 'list'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('under the mat') as string,
  });
};

const migrations = 'host/store/database/tables/migrations.ts';
/** A version that migrates the database, and then fails. */
export const failing =
  (how: string) =>
  async (file: (name: string) => string): Promise<void> => {
    await news(file);
    const all = await readFile(file(migrations), 'utf8');
    const later = "[{ sqlite: 'create table later (n integer)', postgres: '' }];\n";
    await writeFile(
      file(migrations),
      all.replace(/(?<=const later: .* =) \[\];\n/, () => ` ${later}`),
    );
    const check = file('host/cli/commands/this-home/boot-check.ts');
    const text = await readFile(check, 'utf8');
    await writeFile(check, text.replace('  const host =', `  ${how}\n  const host =`));
  };
