import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { cliEntry } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';

test.each([['status'], ['--version'], ['init']])('%s in a deleted folder says so', async (command) => {
  await using folder = await createHome();
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"';
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script, process.execPath, cliEntry, command], {
    cwd: folder.path,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: 'The current folder has been deleted: go to another one.\n',
  });
});
