import { expect, test } from 'vitest';
import ownManifest from '../../../package.json' with { type: 'json' };
import { packageEntry, pegboard, pegboardJson } from '../../kit/cli.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';

test('the package says its version, finds what is in it and runs a tool', async () => {
  await using home = await createHome({
    'spaces/work/agent/tools/greet.md': manifest('greet', 'command: echo hello'),
  });
  const options = { entry: packageEntry(), home: home.path };
  expect((await pegboard(['--version'], { entry: packageEntry() })).stdout).toBe(`${ownManifest.version}\n`);
  const { tools } = await pegboardJson<{ tools: readonly { readonly id: string }[] }>(['tools'], options);
  const ids = tools.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['filesystem.read', 'core.read_artifact', 'work.greet']));
  expect(await pegboard(['call', 'greet'], options)).toMatchObject({ code: 0, stdout: 'hello\n' });
});
