import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../kit/cli.ts';
import { createHome } from '../../kit/homes/home.ts';

test("what goes wrong in a plugin's command is the plugin's mistake", async () => {
  await using home = await createHome({
    'pegboard.yaml': 'plugins: { teller: { trusted: true } }\n',
    'plugins/teller/plugin.yaml':
      'id: teller\nversion: "1.0.0"\ndescription: Tells\ncommands: { tell: { summary: Tell }, fail: { summary: Fail }, return: { summary: Return } }\n',
    'plugins/teller/index.ts': `
      import { definePlugin } from 'pegboard';
      export default definePlugin({ setup: () => ({ commands: { tell: () => undefined.length, fail: () => 1.5, return: () => ({}) } }) });`,
  });
  expect((await pegboard(['fail'], { home: home.path })).stderr).toContain(
    'its exit code 1.5 is no whole number',
  );
  expect(await pegboard(['return'], { home: home.path })).toMatchObject({ code: 0, stderr: '' });
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

test('commands whose name Pegboard or another plugin has are named by lint', async () => {
  const plugin = (id: string, names: readonly string[]): { readonly [path: string]: string } => ({
    [`plugins/${id}/plugin.yaml`]: `id: ${id}\nversion: "1.0.0"\ndescription: Tells\ncommands: { ${names.map((name) => `${name}: { summary: Tell }`).join(', ')} }\n`,
    [`plugins/${id}/index.ts`]: `export default { setup: () => ({ commands: { ${names.map((name) => `${name}: ({ out }) => out('by ${id}')`).join(', ')} } }) };`,
  });
  await using home = await createHome({
    'pegboard.yaml': 'plugins: { jay: { trusted: true }, teller: { trusted: true } }\n',
    ...plugin('jay', ['tell']),
    ...plugin('teller', ['tell', 'status', 'say']),
  });
  expect((await pegboard(['tell'], { home: home.path })).stdout).toBe('by jay\n');
  const { diagnostics } = await pegboardJson<{ diagnostics: readonly { readonly message: string }[] }>(
    ['lint'],
    { home: home.path },
  );
  expect(diagnostics).toMatchObject([
    { code: 'duplicate-command', path: 'plugins/teller/plugin.yaml' },
    { code: 'duplicate-command', path: 'plugins/teller/plugin.yaml' },
  ]);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^"pegboard tell" is the command of the plugin jay \(.*\); that of the plugin teller can't be run$/,
    ),
    `"pegboard status" is the command of Pegboard itself; that of the plugin teller can't be run`,
  ]);
});

test('a command of two words of the home goes before one of a word that ships', async () => {
  await using home = await createHome({
    'pegboard.yaml': 'plugins: { teller: { trusted: true } }\n',
    'plugins/teller/plugin.yaml':
      'id: teller\nversion: "1.0.0"\ndescription: Tells\ncommands: { import notes: { summary: Import notes } }\n',
    'plugins/teller/index.ts':
      "export default { setup: () => ({ commands: { 'import notes': ({ out }) => out('the notes') } }) };",
  });
  expect((await pegboard(['import', 'notes'], { home: home.path })).stdout).toBe('the notes\n');
  expect(await pegboard(['import', 'pages'], { home: home.path })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('openclaw or hermes') as string,
  });
});
