import { expect, test } from 'vitest';
import { pegboard, startPegboard, type RunningCli } from '../../../kit/cli.ts';
import { createHome, manifest } from '../../../kit/homes/home.ts';
import { overPipes } from '../../../kit/mcp/mcp-clients.ts';

const files = {
  'spaces/work/agent/tools/greet.md': manifest(
    'greet',
    'command: echo Hello {{name}}\nparameters:\n  - { name: name, type: string, required: true }',
  ),
};
const discovery = { 'pegboard.yaml': 'serve:\n  mode: discovery\n' };
const serving = (home: string, ...args: string[]): RunningCli => startPegboard(['serve', ...args], { home });

test.for(Object.entries(overPipes))(
  'with %s, `pegboard serve --mode discovery` lets a client find a manifest and run it',
  async ([, connect]) => {
    await using home = await createHome(files);
    await using client = await connect(serving(home.path, '--mode', 'discovery'));
    expect((await client.listTools()).map(({ name }) => name)).not.toContain('greet');
    expect(JSON.stringify(await client.call('search_tools', { query: 'greet' }))).toContain('work.greet');
    const result = await client.call('execute_tool', { name: 'work.greet', params: { name: 'Ada' } });
    expect(result['content']).toEqual([{ type: 'text', text: expect.stringContaining('Hello Ada') }]);
  },
);

test.for([
  ['nothing', {}, [], 'greet'],
  ['serve.mode', discovery, [], 'search_tools'],
  ['--mode before serve.mode', discovery, ['--mode', 'direct'], 'greet'],
  ['--mode auto before serve.mode', discovery, ['--mode', 'auto'], 'greet'],
  [
    'a context window that is too small for the tools',
    { 'pegboard.yaml': 'serve:\n  contextWindow: 1000\n' },
    [],
    'search_tools',
  ],
  ['--mode compact', {}, ['--mode', 'compact'], 'get_tool'],
] as const)('%s decides what is listed', async ([, config, args, name]) => {
  await using home = await createHome({ ...files, ...config });
  await using client = await overPipes['SDK v1'](serving(home.path, ...args));
  expect((await client.listTools()).map((tool) => tool['name'])).toContain(name);
});

test('a mode that is not there is refused at once', async () => {
  await using home = await createHome();
  const { code, stderr } = await pegboard(['serve', '--mode', 'all'], { home: home.path });
  expect(code).toBe(2);
  expect(stderr).toContain('--mode takes auto, direct, compact, discovery, not "all"');
});

test('of a tool with two names one is listed, and both can be called', async () => {
  await using home = await createHome();
  await using client = await overPipes['SDK v1'](serving(home.path));
  const names = (await client.listTools()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['schedule_create', 'schedule_cancel', 'memory_store']));
  for (const second of ['schedule', 'cancel_schedule', 'remember', 'recall', 'forget'])
    expect(names).not.toContain(second);
  for (const id of ['core.schedule_cancel', 'scheduler.cancel_schedule']) {
    const result = await client.call(id.split('.')[1]!, { id: 'none' });
    expect(JSON.stringify(result)).toContain(`The arguments of ${id} don't fit`);
  }
});

test('a preset that has only the second name of a tool shows that one', async () => {
  await using home = await createHome({ 'pegboard.yaml': 'presets: { later: { tools: [scheduler] } }\n' });
  await using client = await overPipes['SDK v1'](serving(home.path, '--preset', 'later'));
  const names = (await client.listTools()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['schedule', 'cancel_schedule']));
});
