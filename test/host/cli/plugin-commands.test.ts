import { expect, test } from 'vitest';
import { pegboard } from '../../kit/cli.ts';
import { createHome } from '../../kit/homes/home.ts';

test("what goes wrong in a plugin's command is the plugin's mistake", async () => {
  await using home = await createHome({
    'pegboard.yaml': 'plugins: { teller: { trusted: true } }\n',
    'plugins/teller/plugin.yaml':
      'id: teller\nversion: "1.0.0"\ndescription: Tells\ncommands: { tell: { summary: Tell } }\n',
    'plugins/teller/index.ts': `
      import { definePlugin } from 'pegboard';
      export default definePlugin({ setup: () => ({ commands: { tell: () => undefined.length } }) });`,
  });
  const { code, stdout, stderr } = await pegboard(['tell', '--json'], { home: home.path });
  expect(code).toBe(1);
  expect(stderr).toContain(
    'The plugin teller failed in "pegboard tell": Cannot read properties of undefined',
  );
  expect(stderr).not.toContain('mistake in Pegboard');
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'PEG_TOOL_FAILED' } });
  const log = await home.read('data/logs/host.log');
  expect(log).toContain('plugins/teller/index.ts');
});
