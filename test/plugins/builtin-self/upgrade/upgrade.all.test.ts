import { spawn } from 'node:child_process';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { follow } from '../../../kit/cli.ts';
import { failing, isAsBefore, news, release, sharedClone } from './shared-clone.ts';

const opened = sharedClone();

test('what stands in the way is refused, and nothing is changed', async () => {
  const clone = opened();
  const { folder, git, run, environment } = clone;
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

test('a version of which a plugin no longer works is taken back', async () => {
  const clone = opened();
  const { folder, git, run } = clone;
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
  const clone = opened();
  const { folder, git, run, environment } = clone;
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
