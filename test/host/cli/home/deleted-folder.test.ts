import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { packageEntry } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';

test.each([['status'], ['--version'], ['init']])('%s in a deleted folder says so', async (command) => {
  await using folder = await createHome();
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"';
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', script, process.execPath, packageEntry(), command],
    {
      cwd: folder.path,
      encoding: 'utf8',
    },
  );
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: 'The current folder has been deleted: go to another one.\n',
  });
});

test.each([
  ['a folder whose name is not UTF-8 is refused, because Node finds another one', String.raw`caf\351`, 2],
  ['a folder with a replacement character in its name is like any other', String.raw`caf\357\277\275`, 0],
])('%s', async (_what, name, code) => {
  await using folder = await createHome();
  const script = `name=$(printf '${name}') && mkdir "$name" && cd "$name" && exec "$0" "$@"`;
  const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, packageEntry(), '--version'], {
    cwd: folder.path,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: code,
    stderr: code === 0 ? '' : expect.stringContaining('The name of the current folder is not UTF-8'),
  });
});
