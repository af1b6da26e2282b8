import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { follow, pegboard } from '../../../kit/cli.ts';
import { openGitClone, type GitClone } from '../../../kit/homes/git-clone.ts';
import { createHome } from '../../../kit/homes/home.ts';

/** Paths of the clones, one after the other. */
const root = mkdtempSync(join(tmpdir(), 'pegboard-upgrades-'));
afterAll(() => rm(root, { recursive: true, force: true }));

const remember = ['call', 'memory_store', 'content=The key is under the mat', '--yes'];

/** A new commit of the repository that the clone follows, made by `change`. Returns its id. */
async function release(
  { upstream, git }: GitClone,
  change: (file: (name: string) => string) => Promise<void>,
): Promise<string> {
  await change((name) => join(upstream, name));
  git(upstream, 'add', '-A');
  git(upstream, 'commit', '-qm', 'core: a second version');
  return git(upstream, 'rev-parse', 'HEAD');
}

const news = async (file: (name: string) => string): Promise<void> => {
  const path = file('CHANGELOG.md');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('\n- ', '\n- **Something new** for everybody.\n- '));
  await writeFile(file('host/something-new.ts'), 'export {};\n');
};
const isAsBefore = (clone: GitClone, from: string): void => {
  expect(clone.git(clone.folder, 'rev-parse', 'HEAD')).toBe(from);
  expect(clone.git(clone.folder, 'status', '--porcelain')).toBe('');
  expect(existsSync(join(clone.folder, '.pegboard-upgrade'))).toBe(false);
  expect(clone.run(['memory', 'list'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('under the mat') as string,
  });
};

test('a clone is upgraded to what its remote has, with its data copied first', async () => {
  await using clone = await openGitClone(root);
  const { folder, git, run } = clone;
  expect(run(['upgrade', '--yes'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('up to date') as string,
  });
  expect(run(remember).code).toBe(0);
  const from = git(folder, 'rev-parse', 'HEAD');
  const to = await release(clone, news);

  const shown = run(['upgrade', '--dry-run']);
  expect(shown.output).toContain('core: a second version');
  expect(shown.output).toContain('**Something new** for everybody.');
  expect(run(['upgrade'])).toMatchObject({
    code: 2,
    output: expect.stringContaining('--yes to upgrade') as string,
  });
  isAsBefore(clone, from);

  const upgraded = run(['upgrade', '--yes']);
  expect(upgraded, upgraded.output).toMatchObject({
    code: 0,
    output: expect.stringMatching(/upgraded: .*, \d+ tools/) as string,
  });
  isAsBefore(clone, to);
  const backups = readdirSync(join(folder, 'data/backups'));
  expect(backups.filter((name) => name.startsWith('before-upgrade-'))).toHaveLength(1);
});

test('what stands in the way is refused, and nothing is changed', async () => {
  await using clone = await openGitClone(root);
  const { folder, git, run, environment } = clone;
  expect(run(remember).code).toBe(0);
  const from = git(folder, 'rev-parse', 'HEAD');
  await release(clone, news);

  await appendFile(join(folder, 'pegboard.yaml'), '# mine\n');
  const changed = run(['upgrade', '--yes']);
  expect(changed.code).toBe(2);
  expect(changed.output).toMatch(/these files of it were changed: pegboard\.yaml.*pegboard\.local\.yaml/s);
  git(folder, 'checkout', '-q', 'pegboard.yaml');

  const child = spawn(process.execPath, [join(folder, 'bin/pegboard.cjs'), 'start'], {
    cwd: folder,
    env: environment,
  });
  await using host = follow(child);
  await host.waitFor(/running \d+ tools/);
  expect(run(['upgrade', '--yes'])).toMatchObject({
    code: 2,
    output: expect.stringMatching(
      /is in use by a host \(process \d+ on \S+\)\. Stop it with Ctrl-C in its terminal, run/,
    ) as string,
  });
  child.kill('SIGTERM');
  await host.ended;

  git(folder, 'checkout', '-q', '--detach');
  expect(run(['upgrade', '--yes']).output).toContain('no branch is checked out');
  git(folder, 'checkout', '-q', 'main');
  isAsBefore(clone, from);
});

const migrations = 'host/store/database/migrations/all.ts';
/** A version that migrates the database, and then fails. */
const failing =
  (how: string) =>
  async (file: (name: string) => string): Promise<void> => {
    await news(file);
    const all = await readFile(file(migrations), 'utf8');
    const at = all.lastIndexOf('];');
    await writeFile(
      file(migrations),
      `${all.slice(0, at)}  'create table later (n integer)',\n${all.slice(at)}`,
    );
    const check = file('host/cli/commands/this-home/boot-check.ts');
    const text = await readFile(check, 'utf8');
    await writeFile(check, text.replace('  const host =', `  ${how}\n  const host =`));
  };

test('a version that does not start is taken back, with the data that it has migrated', async () => {
  await using clone = await openGitClone(root);
  const { folder, git, run } = clone;
  expect(run(remember).code).toBe(0);
  const from = git(folder, 'rev-parse', 'HEAD');
  await release(clone, failing("throw new Error('kaputt');"));
  const ended = run(['upgrade', '--yes']);
  expect(ended.code).toBe(1);
  expect(ended.output).toMatch(/not upgraded: the new version does not start: .*kaputt/s);
  expect(ended.output).toContain('Everything is as before');
  isAsBefore(clone, from);
});

test('a version of which a plugin no longer works is taken back', async () => {
  await using clone = await openGitClone(root);
  const { folder, git, run } = clone;
  expect(run(remember).code).toBe(0);
  const from = git(folder, 'rev-parse', 'HEAD');
  await release(clone, async (file) => {
    const plugin = file('plugins/builtin-core/index.ts');
    await writeFile(plugin, `${await readFile(plugin, 'utf8')}\nthrow new Error('kaputt');\n`);
  });
  const ended = run(['upgrade', '--yes']);
  expect(ended.code, ended.output).toBe(1);
  expect(ended.output).toMatch(/its plugin builtin-core does not: .*kaputt/s);
  isAsBefore(clone, from);
});

test('an upgrade that is killed is taken back at the next start', async () => {
  await using clone = await openGitClone(root);
  const { folder, git, run, environment } = clone;
  expect(run(remember).code).toBe(0);
  const from = git(folder, 'rev-parse', 'HEAD');
  await release(clone, failing('await new Promise((end) => setTimeout(end, 5_000));'));
  const child = spawn(process.execPath, [join(folder, 'bin/pegboard.cjs'), 'upgrade', '--yes'], {
    cwd: folder,
    env: environment,
  });
  await using upgrade = follow(child);
  await upgrade.waitFor(/Starting the new version/);
  expect(run(['tools'])).toMatchObject({
    code: 1,
    output: expect.stringContaining('is being upgraded') as string,
  });
  child.kill('SIGKILL');
  await upgrade.ended;
  expect(run(['tools']).output).toContain('was interrupted, and has been undone');
  isAsBefore(clone, from);
});

test('a package says which command upgrades it', async () => {
  await using home = await createHome();
  const { code, stdout } = await pegboard(['upgrade'], { home: home.path, apart: true });
  expect(code).toBe(0);
  expect(stdout).toMatch(/is installed as a package[^]*npm install/);
});
