import { expect, test } from 'vitest';
import { pegboard } from '../../kit/cli.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';
import { startScriptedModel } from '../../../host/testing/index.ts';

const tools = {
  'spaces/shop/agent/tools/count.md': manifest('count', 'command: echo 3\nreadOnly: true'),
  'spaces/shop/agent/tools/remove.md': manifest('remove', 'command: echo removed\nconfirm: true'),
};
const script = (keys: string, program: string): string =>
  `/*---\nid: made\nname: Made\ndescription: Made of others\n${keys}\n---*/\n${program}\n`;

test('a file is run with its arguments, asks like any call, and says what it had done', async () => {
  await using home = await createHome({
    ...tools,
    'ok.ts': 'return [args.name, Number(await tools.shop.count({}))]',
    'asks.ts': `await tools.shop.count({});\nawait tools.shop.remove({});`,
  });
  const run = (...words: string[]) =>
    pegboard(['run', ...words], { home: home.path, cwd: home.path, input: '' });
  expect(await run('ok.ts', 'name=Ada')).toMatchObject({ code: 0, stdout: '["Ada",3]\n' });
  const { code, stdout } = await run('asks.ts', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    tool: 'script.asks',
    ok: false,
    error: {
      code: 'PEG_SCRIPT_FAILED',
      data: {
        line: 2,
        calls: [
          { tool: 'shop.count', outcome: 'ok' },
          { tool: 'shop.remove', outcome: 'PEG_NOBODY_TO_ASK' },
        ],
      },
    },
  });
  expect(await run('none.ts')).toMatchObject({ code: 2, stderr: expect.stringContaining('none.ts') });
});

test('a file with a header runs like the tool that it describes, in a space or not', async () => {
  const keys = [
    'confirm: true',
    'parameters:',
    '  - { name: id, type: string, required: true }',
    '  - { name: count, type: integer, default: 2 }',
  ].join('\n');
  const made = script(keys, 'return [args]');
  await using home = await createHome({
    ...tools,
    'made.script.ts': made,
    'reads.script.ts': script('readOnly: true', 'return await tools.shop.remove({})'),
    'spaces/shop/agent/tools/made.script.ts': made,
    'plain.ts': 'return [args, Object.keys(args)]',
    'spaces/shop/agent/agent.yaml': 'description: Sells\nruntime: { scripts: off }\n',
  });
  const run = (...words: string[]) =>
    pegboard(['run', ...words], { home: home.path, cwd: home.path, input: '' });
  const ofSpace = 'spaces/shop/agent/tools/made.script.ts';
  for (const [path, id] of [
    ['made.script.ts', 'script.made'],
    [ofSpace, 'shop.made'],
  ] as const) {
    expect(await run(path, 'id=007', '--yes')).toMatchObject({
      code: 0,
      stdout: '[{"id":"007","count":2}]\n',
    });
    expect(await run(path, 'id=1')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('nobody to ask'),
    });
    expect(await run(path, '--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining('"id"') });
    const wrong = await run(path, 'id=1', 'cuont=3', '--yes', '--json');
    expect(wrong.code).toBe(2);
    expect(JSON.parse(wrong.stdout)).toMatchObject({ tool: id, error: { code: 'PEG_INVALID_ARGUMENTS' } });
  }
  expect((await run('reads.script.ts')).stderr).toContain('this script only reads');
  const odd = '{"n":1.50,"__proto__":{"a":1},"text":"\u2028\u0060${1}"}';
  expect((await run('plain.ts', '--args', odd)).stdout).toContain('["n","text"]');
  expect(await run('plain.ts', '--args', '[1]')).toMatchObject({ code: 2 });
  const off = await run('plain.ts', '--agent', 'shop');
  expect(off).toMatchObject({ code: 3, stderr: expect.stringContaining('runtime.scripts is off') });
});

test('a script of a space is a tool, which is linted, and reads only where it says so', async () => {
  await using home = await createHome({
    ...tools,
    'spaces/shop/agent/tools/made.script.ts': script(
      'readOnly: true\nparameters: [{ name: twice, type: boolean }]',
      `const count = Number(await tools.shop.count({}));\nif (args.twice) await tools.shop.remove({});\nreturn count`,
    ),
  });
  const call = (...words: string[]) => pegboard(['call', 'shop.made', ...words], { home: home.path });
  expect(await call()).toMatchObject({ code: 0, stdout: '3\n' });
  const refused = await call('twice=true', '--yes');
  // The line is the one of the file.
  expect(refused.stderr).toContain('line 9: ToolError: shop.remove may change something (risk high)');
  await home.write('spaces/shop/agent/tools/made.script.ts', script('', 'return (;'));
  expect((await pegboard(['lint'], { home: home.path })).stdout).toContain('made.script.ts:7');
});

test('/save-script makes the last script of the agent a tool', async () => {
  await using home = await createHome({
    ...tools,
    'spaces/shop/agent/agent.yaml': 'description: Sells\ndefault: true\n',
  });
  const code = 'return Number(await tools.shop.count({})) + 1';
  await using model = await startScriptedModel([
    { toolCalls: [{ name: 'run_script', arguments: { code } }] },
    { text: 'Four.' },
  ]);
  const input = 'How many are there, and one more?\n/save-script one-more\n/save-script Bad Name\n';
  const env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test', PEGBOARD_MODEL: 'openai/scripted' };
  const { stdout, stderr } = await pegboard([], { home: home.path, input, env });
  expect(stdout).toContain('Four.');
  expect(stderr).toContain('shop.one-more is a tool now');
  expect(stderr).toContain('the script for "How many are there, and one more?"');
  expect(stderr).toContain('in small letters');
  expect(await pegboard(['call', 'shop.one-more'], { home: home.path })).toMatchObject({
    code: 0,
    stdout: '4\n',
  });
  const shown = await pegboard(['show', 'shop.one-more'], { home: home.path });
  expect(shown.stdout).toContain('How many are there, and one more?');
});
