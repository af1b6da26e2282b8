import { expect, test } from 'vitest';
import { pegboard } from '../../kit/cli.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';

const files = {
  'spaces/work/agent/tools/publish.md': manifest(
    'publish',
    'command: sh -c \'test -n "$TOKEN" && echo published\'\nenvironment: { TOKEN: "${REGISTRY_TOKEN}", REGION: "${REGION:-eu}" }',
  ),
};
const env = { REGISTRY_TOKEN: 'r-1234567890', REGION: 'us' };

test('a tool gets a secret when its owner has said so, and no longer when its manifest has changed', async () => {
  await using home = await createHome(files);
  const run = (...args: string[]) => pegboard(args, { home: home.path, env });
  const refused = await run('call', '--agent', 'work', 'publish');
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain('let it have REGISTRY_TOKEN?');
  expect(refused.stderr).toContain('pegboard approvals allow work.publish');
  expect((await run('doctor')).stdout).toMatch(/work\.publish\s+asks before it gets REGISTRY_TOKEN/);
  expect(await run('call', '--agent', 'work', 'publish', '--yes')).toMatchObject({
    code: 0,
    stdout: 'published\n',
  });

  expect((await run('approvals', 'allow', 'publish')).stdout).toContain('work.publish gets REGISTRY_TOKEN');
  expect(await run('call', '--agent', 'work', 'publish')).toMatchObject({ code: 0, stdout: 'published\n' });
  expect((await run('doctor')).stdout).toMatch(/work\.publish\s+gets REGISTRY_TOKEN/);

  const path = 'spaces/work/agent/tools/publish.md';
  await home.write(path, (await home.read(path)).replace('echo published', 'echo "$TOKEN" | rev'));
  expect(await run('call', '--agent', 'work', 'publish')).toMatchObject({ code: 3, stdout: '' });
  // Running it by hand is consent; the value is in no known form.
  expect(await run('call', 'publish')).toMatchObject({ code: 0, stdout: '0987654321-r\n' });
});

test('a variable that is no secret needs nobody, and a tool without secrets can be granted none', async () => {
  await using home = await createHome({
    'spaces/work/agent/tools/where.md': manifest(
      'where',
      'command: printenv REGION\nenvironment: { REGION: "${REGION}" }',
    ),
  });
  const run = (...args: string[]) => pegboard(args, { home: home.path, env });
  expect(await run('call', 'where')).toMatchObject({ code: 0, stdout: 'us\n' });
  expect(await run('approvals', 'allow', 'where')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('names no secret'),
  });
});
