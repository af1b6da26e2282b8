import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { cloneEntry, pegboard, startPegboard } from '../../kit/cli.ts';
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
