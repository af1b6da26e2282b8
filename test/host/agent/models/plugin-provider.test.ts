import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';

const plugin = (answer: string): string => `
  import { definePlugin } from 'pegboard';
  export default definePlugin({
    setup: () => ({
      models: {
        parrot: {
          open: ({ id, name, contextWindow, baseUrl, apiKey = 'no key' }) => ({
            id, contextWindow, nativeTools: true,
            async respond({ messages }, onEvent) {
              const said = messages.findLast(({ role }) => role === 'user').content.map(({ text }) => text).join(' ');
              const text = '${answer} ' + [name, baseUrl, apiKey, said.trim().split(/\\s+/).at(-1)].join('|');
              onEvent({ type: 'text', text });
              return { text, toolCalls: [], usage: { input: 1, output: 1 }, model: id, finish: 'stop' };
            },
          }),
        },
      },
    }),
  });`;

const openHome = (models: string): Promise<TestHome> =>
  createHome({
    'pegboard.yaml': `plugins: { parrot: { trusted: true } }\nmodels: ${models}\n`,
    'plugins/parrot/plugin.yaml': 'id: parrot\nversion: "1.0.0"\ndescription: Repeats\n',
    'plugins/parrot/index.ts': plugin('Said'),
  });

test('a plugin brings models of its own, by its name alone', async () => {
  await using home = await openHome('{ default: parrot/grey }');
  const { stdout, stderr } = await pegboard(['chat', 'Hello'], { home: home.path });
  expect(stdout, stderr).toContain('Said grey||no key|Hello');
});

test('the chat names its model, and switches to another one untested', async () => {
  await using home = await openHome('{ default: parrot/grey }');
  const { stdout, stderr, code } = await pegboard([], {
    home: home.path,
    input: '/model\n/model parrot/blue --anyway\nHello\n',
  });
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^parrot\/grey\n/);
  expect(stderr).toContain('pegboard.yaml now names parrot/blue as the model. It was not tested');
  expect(stdout).toContain('Said blue||no key|Hello');
});

test('a plugin lists its models, and says so where it does not or fails', async () => {
  const list = async (how: string): Promise<unknown> => {
    await using home = await openHome('{ default: parrot/grey }');
    const path = join(home.path, 'plugins/parrot/index.ts');
    await writeFile(path, plugin('Said').replace('open: (', `${how} open: (`));
    return await pegboardJson(['models', 'list', '--provider', 'parrot'], { home: home.path });
  };
  expect(
    await list(
      "list: () => [{ name: 'grey', contextWindow: 9000, price: { input: 1, output: 2 } }, { name: 'blue' }],",
    ),
  ).toMatchObject({
    providers: [
      {
        models: [
          { id: 'parrot/blue' },
          { id: 'parrot/grey', contextWindow: 9000, price: { input: 1, output: 2 } },
        ],
      },
    ],
  });
  expect(await list('')).toMatchObject({ providers: [{ problem: expect.stringContaining("doesn't list") }] });
  expect(await list("list: () => { throw new Error('asleep'); },")).toMatchObject({
    providers: [{ problem: 'The plugin that provides parrot could not list its models: asleep.' }],
  });
});

test('of two plugins with a provider of the same name the first is used, and both are named', async () => {
  await using home = await createHome({
    'pegboard.yaml':
      'plugins: { jay: { trusted: true }, parrot: { trusted: true } }\nmodels: { default: parrot/grey }\n',
    'plugins/jay/plugin.yaml': 'id: jay\nversion: "1.0.0"\ndescription: Mocks\n',
    'plugins/jay/index.ts': plugin('Mocked'),
    'plugins/parrot/plugin.yaml': 'id: parrot\nversion: "1.0.0"\ndescription: Repeats\n',
    'plugins/parrot/index.ts': plugin('Said'),
  });
  const { stdout, stderr } = await pegboard(['chat', 'Hello'], { home: home.path });
  expect(stdout, stderr).toContain('Mocked grey');
  const linted = await pegboardJson<{ diagnostics: readonly object[] }>(['lint'], { home: home.path });
  expect(linted.diagnostics).toEqual([
    expect.objectContaining({
      severity: 'error',
      code: 'duplicate-model-provider',
      path: 'plugins/parrot/plugin.yaml',
      message: expect.stringMatching(
        /^there are two model providers "parrot": that of the plugin jay \(\S*plugins\/jay\/plugin\.yaml\) is used, that of the plugin parrot is not$/,
      ),
    }),
  ]);
});

test('it gets what pegboard.yaml says of its provider, also of one that goes by another name', async () => {
  const entry = '{ backend: parrot, base_url: "http://there", api_key: key-1 }';
  await using home = await openHome(`{ default: zoo/grey, providers: { zoo: ${entry} } }`);
  const { stdout, stderr } = await pegboard(['chat', 'Hello'], { home: home.path });
  expect(stdout, stderr).toMatch(/Said grey\|http:\/\/there\|\S+\|Hello/);
});

const withAgent = (backend: string): Promise<TestHome> =>
  createHome({
    'pegboard.yaml': 'plugins: { parrot: { trusted: true } }\nmodels: { default: openai/gpt-5 }\n',
    'plugins/parrot/plugin.yaml': 'id: parrot\nversion: "1.0.0"\ndescription: Repeats\n',
    'plugins/parrot/index.ts': plugin('Said'),
    'spaces/zoo/agent/agent.yaml': `brain: { model: grey, backend: ${backend} }\n`,
  });

test('the backend of an agent names a provider of a plugin', async () => {
  await using home = await withAgent('parrot');
  const linted = await pegboard(['lint'], { home: home.path });
  expect(linted).toMatchObject({ code: 0 });
  const { stdout, stderr } = await pegboard(['chat', 'Hello', '--agent', 'zoo'], { home: home.path });
  expect(stdout, stderr).toContain('Said grey||no key|Hello');
});

test.each(['parot', 'constructor'])(
  'the backend %s of an agent is refused with those that there are',
  async (backend) => {
    await using home = await withAgent(backend);
    const { code, stderr } = await pegboard(['chat', 'Hello', '--agent', 'zoo'], { home: home.path });
    expect(code).toBe(2);
    const said = stderr.replaceAll(/\s+/g, ' ');
    expect(said).toContain(`The agent's brain.backend is "${backend}", but there is no such provider.`);
    expect(said).toMatch(/The providers are openai_compat, parrot, openai, openrouter, anthropic, .*vllm\./);
  },
);

test('a backend that nobody provides is refused with those that there are', async () => {
  await using home = await openHome(
    '{ default: zoo/grey, providers: { zoo: { backend: owl, base_url: "http://there" } } }',
  );
  const { code, stderr } = await pegboard(['chat', 'Hello'], { home: home.path });
  expect(code).not.toBe(0);
  expect(stderr).toContain('models.providers.zoo.backend in pegboard.yaml is "owl"');
  expect(stderr).toContain('openai_compat, anthropic, parrot');
});

test.each(['owl', 'constructor'])('the name %s is not taken for a backend', async (backend) => {
  await using home = await openHome(
    `{ default: zoo/grey, providers: { zoo: { backend: ${backend}, base_url: "http://there" } } }`,
  );
  const { stderr } = await pegboard(['chat', 'Hello'], { home: home.path });
  expect(stderr).toContain(`backend in pegboard.yaml is "${backend}"`);
});

test.each([
  [
    `({ text: '', toolCalls: [{ id: '1', name: 'read', arguments: {} }], usage: { input: 1, output: 1 }, model: id, finish: 'tool_calls' })`,
    '"respond" returned a tool call whose arguments are not a string of JSON',
  ],
  ['undefined', '"respond" returned no reply'],
  [
    `({ text: 'x', toolCalls: [], model: id, finish: 'stop' })`,
    '"respond" returned a reply whose usage has no numbers input and output',
  ],
])('a malformed reply is reported as a mistake of its plugin: %s', async (reply, problem) => {
  await using home = await openHome('{ default: parrot/grey }');
  await writeFile(
    join(home.path, 'plugins/parrot/index.ts'),
    `export default { setup: () => ({ models: { parrot: {
      open: ({ id, contextWindow }) => ({ id, contextWindow, nativeTools: true, respond: async () => ${reply} }),
    } } }) };`,
  );
  const { code, stderr } = await pegboard(['chat', 'Hello'], { home: home.path });
  expect(code).not.toBe(0);
  expect(stderr).toContain(`The plugin that provides the model parrot/grey has a mistake: ${problem}.`);
  expect(stderr).not.toContain('bug in Pegboard');
});
