import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { startScriptedModel } from '../../../host/testing/index.ts';
import { configFor } from '../../kit/homes/agent-home.ts';
import { pegboard } from '../../kit/cli.ts';
import { createHome } from '../../kit/homes/home.ts';

test('in a free folder, where a shell finds its programs is asked about', async () => {
  await using free = await createHome({ 'bin/tool': 'echo tool', 'notes/a.md': 'a' });
  const write = (path: string) => ({
    name: 'write',
    arguments: { path: join(free.path, path), content: 'x' },
  });
  await using model = await startScriptedModel(({ messages }) =>
    messages.some((message) => (message as { role: string }).role === 'tool')
      ? { text: 'done' }
      : { toolCalls: [write('bin/made'), write('notes/made.md')] },
  );
  const roots = [{ path: free.path, write: 'free' }];
  await using home = await createHome({
    'pegboard.yaml': JSON.stringify({
      ...(JSON.parse(configFor(model)) as object),
      plugins: { 'builtin-core': { config: { roots } } },
    }),
  });
  const PATH = [join(free.path, 'bin'), process.env['PATH']].join(delimiter);
  const { code, stderr } = await pegboard(['chat', 'go'], { home: home.path, env: { PATH } });
  expect(stderr).toContain('needs a confirmation');
  expect(code).toBe(0);
  expect(existsSync(join(free.path, 'notes/made.md'))).toBe(true);
  expect(existsSync(join(free.path, 'bin/made'))).toBe(false);
});
