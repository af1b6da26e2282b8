import { expect, test } from 'vitest';
import { pegboard } from '../../kit/cli.ts';
import { createHome } from '../../kit/homes/home.ts';

test.each([
  [['--verison'], 'Did you mean --version?'],
  [['--hmoe', 'x', 'tools'], 'Did you mean --home?'],
  [['--version', '--json'], '--version" has to stand alone'],
  [['-p', 'hi'], 'chat "hi"'],
  [['--prompt', 'what is this'], 'chat "what is this"'],
  [['what is this'], 'chat "what is this"'],
  [['what is "$this"'], `chat 'what is "$this"'`],
])('%j is answered with what was meant', async (args, hint) => {
  await using home = await createHome();
  const { code, stderr } = await pegboard(args, { cwd: home.path });
  expect(code).toBe(2);
  expect(stderr).toContain(hint);
});
