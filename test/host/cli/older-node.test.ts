import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { packageEntry, cloneEntry, pegboard, startPegboard } from '../../kit/cli.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';
import { systemNode } from '../../kit/system-node.ts';

const node = systemNode();
const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
const isOlder = Number.parseInt(version.slice(1), 10) < 24;

test.runIf(isOlder)('a host that an older Node started ends when that is killed', async () => {
  await using home = await createHome();
  await using running = startPegboard(['start'], { home: home.path, node, entry: cloneEntry });
  await running.waitFor(/running|Ctrl-C/i);
  const streams = [running.child.stdout, running.child.stderr].map(
    (stream) => new Promise((resolve) => stream.once('close', resolve)),
  );
  running.child.kill('SIGKILL');
  // The host writes to the same streams, which close after it has ended too.
  await Promise.all(streams);
});

test.runIf(isOlder)(
  'what an older Node starts passes on its streams, its exit code and no pipe',
  async () => {
    await using home = await createHome({
      'spaces/work/agent/tools/say.md': manifest('say', 'command: sh -c "env; cat <&3"'),
    });
    const options = { home: home.path, node, entry: cloneEntry };
    const said = await pegboard(['call', 'say'], options);
    expect(said.stdout).not.toContain('PEGBOARD_PARENT_PIPE');
    expect(said.stderr).toMatch(/bad file descriptor/i);
    expect(await pegboard(['call', 'nothing'], options)).toMatchObject({ code: 4 });
  },
);

test.runIf(isOlder)('a newer Node further back on the PATH is used, and none is downloaded', async () => {
  await using place = await createHome({ 'broken/node': '#!/bin/sh\necho v1\nexit 1\n' });
  await chmod(join(place.path, 'broken/node'), 0o755);
  for (const [folder, program] of [
    ['old', node],
    ['again', node],
    ['new', process.execPath],
  ] as const) {
    await mkdir(join(place.path, folder));
    await symlink(program, join(place.path, folder, 'node'));
  }
  const folders = ['old', 'missing', 'again', 'broken', 'new'].map((name) => join(place.path, name));
  const env = {
    PATH: [...folders, '/usr/bin', '/bin'].join(delimiter),
    // A download would fail, and say so.
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_fetch_retries: '0',
    XDG_DATA_HOME: join(place.path, 'data'),
  };
  const { stdout, stderr, code } = await pegboard(['doctor', '--json'], {
    home: place.path,
    node,
    entry: packageEntry(),
    env,
  });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const { checks } = JSON.parse(stdout) as { checks: readonly { name: string; message: string }[] };
  expect(checks.find(({ name }) => name === 'Node')?.message).toContain(process.version.slice(1));
});
