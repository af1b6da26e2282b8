import { describe, expect, test } from 'vitest';
import type { Injection } from '../../../../host/api/injection.ts';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';
import { startScriptedModel } from '../../../../host/testing/index.ts';

/** A home whose space has `count` tools of about 150 tokens each. */
function homeWith(count: number, files: { readonly [file: string]: string } = {}): Promise<TestHome> {
  const tools = Array.from({ length: count }, (_, at) => ({
    id: `tool-${at}`,
    name: `Tool ${at}`,
    description: `Does the thing that has the number ${at}. ${'More is to be said about it. '.repeat(8)}`,
    command: `echo {{what}}`,
    parameters: [
      { name: 'what', type: 'string', description: 'What it is done with, in a word or two', required: true },
    ],
  }));
  return createHome({
    'spaces/work/space.manifest.json': JSON.stringify({ id: 'work', name: 'Work', tools }),
    ...files,
  });
}

const inject = (home: TestHome, ...options: string[]): Promise<Injection> =>
  pegboardJson<Injection>(['inject', ...options], { home: home.path });
const namesOf = ({ tools }: Injection): string[] => tools.map(({ name }) => name);
const tokensOf = (value: unknown): number => Math.floor(JSON.stringify(value).length / 4);

/** Characters ÷ 4 of tools and system prompt in an OpenAI-compatible request. */
function requestTokens({ tools, prompt }: Injection): number {
  const functions = tools.map((tool) => ({ type: 'function', function: tool }));
  return JSON.stringify({ tools: functions, messages: [{ role: 'system', content: prompt }] }).length / 4;
}

describe('pegboard inject', () => {
  test('shows the decision and its arithmetic, for each size of a context', async () => {
    await using home = await homeWith(30);
    const direct = await inject(home, '--context-window', '200000');
    expect(direct).toMatchObject({ mode: 'direct', contextWindow: 200_000, budget: 40_000 });
    expect(namesOf(direct)).toEqual(expect.arrayContaining(['read', 'tool-0', 'tool-29']));
    const sum = direct.tools
      .filter(({ name }) => name.startsWith('tool-'))
      .reduce((total, tool) => total + tokensOf(tool), 0);
    expect(direct.toolTokens).toBeGreaterThanOrEqual(sum);
    expect(direct.compactTokens % 30).toBe(0);
    // Those that find what the preset doesn't list are counted like the tools that it lists.
    const finders = new Set(['search_tools', 'get_tool', 'execute_tool']);
    expect(direct.compactTokens / 30).toBe(
      namesOf(direct).filter((name) => finders.has(name) || !metaNames.has(name)).length,
    );

    const compact = await inject(home, '--context-window', '16000');
    expect(compact).toMatchObject({
      mode: 'compact_direct',
      toolTokens: direct.toolTokens,
      compactTokens: direct.compactTokens,
    });
    expect(compact.tools.find(({ name }) => name === 'tool-7')).toEqual({
      name: 'tool-7',
      description: 'Does the thing that has the number 7.',
      parameters: { type: 'object' },
    });

    const discovery = await inject(home, '--context-window', '4000');
    expect(discovery.mode).toBe('discovery');
    expect(namesOf(discovery)).not.toContain('tool-7');
    expect(discovery.prompt).toContain('search_tools');
  });

  test('takes a mode, by its short name too', async () => {
    await using home = await homeWith(1);
    expect((await inject(home, '--mode', 'compact')).mode).toBe('compact_direct');
    expect((await inject(home, '--mode', 'compact_direct')).mode).toBe('compact_direct');
    expect((await inject(home, '--mode', 'discovery')).reason).toBe('discovery is forced');
    expect((await inject(home, '--mode', 'auto', '--context-window', '100000')).mode).toBe('direct');
  });

  test('leaves out what the agent may not use', async () => {
    await using home = await homeWith(2, {
      'spaces/work/agent/agent.yaml': 'blockedTools: [bash, work.tool-1]\n',
    });
    const names = namesOf(await inject(home, '--agent', 'work', '--context-window', '100000'));
    expect(names).toContain('tool-0');
    expect(names).not.toContain('tool-1');
    expect(names).not.toContain('bash');
    expect(await pegboard(['inject', '--agent', 'nobody'], { home: home.path })).toMatchObject({ code: 2 });
  });

  test('is a table for people', async () => {
    await using home = await homeWith(2);
    const { code, stdout } = await pegboard(['inject', '--context-window', '100000'], { home: home.path });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^direct +[\d,]+ tokens of schemas fit into the budget of 20,000\n/);
    expect(stdout).toMatch(/context window +100,000 +tokens\n/);
    expect(stdout).toMatch(/budget +20,000 +a fifth of it\n/);
    expect(stdout).toMatch(/tool-1 +\d+ +Does the thing that has the number 1\./);
    expect(stdout).toContain('You have access to');
  });

  test.for([
    ['--context-window', 'large'],
    ['--context-window', '0'],
    ['--mode', 'everything'],
  ])('refuses %s %s', async (args) => {
    await using home = await createHome();
    const { code, stderr } = await pegboard(['inject', ...args], { home: home.path });
    expect(code).toBe(2);
    expect(stderr).toContain(args[1]);
  });
});

test.for([
  ['direct', 200_000],
  ['compact_direct', 16_000],
  ['discovery', 4_000],
] as const)('in %s it is what the model is sent, to the byte', async ([mode, contextWindow]) => {
  await using home = await homeWith(30, { 'pegboard.yaml': `models:\n  contextWindow: ${contextWindow}\n` });
  await using model = await startScriptedModel([{ text: 'Hello.' }]);
  const env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'key', PEGBOARD_MODEL: 'scripted' };
  const injection = await pegboardJson<Injection>(['inject'], { home: home.path, env });
  expect(injection).toMatchObject({ mode, contextWindow });
  const { code, stderr } = await pegboard(['chat', 'Hello'], { home: home.path, env });
  expect(code, stderr).toBe(0);
  const [request] = model.requests;
  expect(JSON.stringify(request!.tools!.map((tool: { function: unknown }) => tool.function))).toBe(
    JSON.stringify(injection.tools),
  );
  expect(request!.messages[0]).toEqual({ role: 'system', content: injection.prompt });
});

const metaNames = new Set([
  'search_tools',
  'get_tool',
  'execute_tool',
  'list_categories',
  'browse_category',
  'run_script',
  'run_parallel',
  'background_run',
  'use_skill',
  'call_app',
  'ask_user',
  'agent',
]);

describe('what the first request costs', () => {
  const identity = {
    'spaces/work/agent/SOUL.md': 'Calm, exact, brief. Says what it knows and what it does not. '.repeat(5),
    'spaces/work/agent/IDENTITY.md': 'Works with the people who keep the site running. '.repeat(5),
    'spaces/work/agent/USER.md': 'Ada, who likes short answers and dislikes surprises. '.repeat(5),
  };

  test('with everything built in and an identity, at most 2,575 tokens in discovery', async () => {
    await using home = await homeWith(0, identity);
    const injection = await inject(home, '--agent', 'work', '--mode', 'discovery');
    expect(requestTokens(injection)).toBeLessThanOrEqual(2_575);
  });

  test('with 500 further tools, at most 6,000 tokens at a context of 32,000', async () => {
    await using home = await homeWith(500, identity);
    const injection = await inject(home, '--agent', 'work', '--context-window', '32000');
    expect(requestTokens(injection)).toBeLessThanOrEqual(6_000);
  });
});

describe('a small window is not overdrawn by the tools themselves:', () => {
  const sentIn = ({ tools }: Injection): number =>
    tools.reduce((sum, tool) => sum + tokensOf({ type: 'function', function: tool }), 0);

  test.for([4_000, 6_000, 8_000, 10_000, 16_000, 32_000, 36_000, 40_000])('%i tokens', async (window) => {
    await using home = await createHome({});
    const injection = await inject(home, '--context-window', String(window));
    const { mode, budget, prompt, tools } = injection;
    // All schemas together may take the whole budget.
    const promptTokens = mode === 'direct' ? 0 : Math.floor(prompt.length / 4);
    expect(sentIn(injection) + promptTokens).toBeLessThanOrEqual(budget);
    expect(tools.length).toBeGreaterThan(4);
  });

  test('tools are counted in the form in which they are sent', async () => {
    await using home = await createHome({});
    const injection = await inject(home, '--context-window', '1000000');
    const meta = new Set([
      'run_script',
      'run_parallel',
      'background_run',
      'ask_user',
      'use_skill',
      'call_app',
    ]);
    const counted = { ...injection, tools: injection.tools.filter(({ name }) => !meta.has(name)) };
    expect(injection.toolTokens).toBe(sentIn(counted));
  });

  test('a tool with two names is shown once, by the one that the agent asks for', async () => {
    await using home = await createHome({
      'spaces/desk/agents/planner.yaml': 'description: Plans\nruntime: { scheduler: true }\n',
    });
    const shown = async (...more: string[]): Promise<string[]> =>
      namesOf(await inject(home, '--context-window', '1000000', ...more))
        .filter((name) => /schedule|remind/.test(name))
        .toSorted();
    expect(await shown()).toEqual(['remind', 'schedule_cancel', 'schedule_create', 'schedule_list']);
    expect(await shown('--agent', 'planner')).toEqual([
      'cancel_schedule',
      'remind',
      'schedule',
      'schedule_list',
    ]);
  });
});

describe('where the server of the model takes only so many tools in a request', () => {
  const limited = (extra = '') =>
    `models:\n  default: openai/gpt-5\n  contextWindow: 400000\n  providers: { openai: { api_key: key${extra} } }\n`;

  test('OpenAI is shown 128 in full, and beyond that tools that find the others', async () => {
    await using few = await homeWith(20, { 'pegboard.yaml': limited() });
    expect(await inject(few)).toMatchObject({ mode: 'direct' });
    await using many = await homeWith(150, { 'pegboard.yaml': limited() });
    for (const options of [[], ['--mode', 'direct'], ['--mode', 'compact']]) {
      const injection = await inject(many, ...options);
      expect(injection.mode).toBe('discovery');
      expect(injection.reason).toMatch(
        /, but \d+ tools are more than the 128 that the model's server takes$/,
      );
      expect(namesOf(injection)).toContain('search_tools');
      expect(injection.tools.length).toBeLessThanOrEqual(128);
    }
  });

  test('a provider of one’s own is sent no more than its maxTools, also of tools that stay in sight', async () => {
    await using home = await homeWith(60, {
      'spaces/work/agent/agent.yaml': 'id: work\nruntime: { direct_modules: [work] }\n',
    });
    await using model = await startScriptedModel([{ text: 'Hello.' }]);
    const provider = { base_url: model.baseUrl, native_tool_use: true, maxTools: 40 };
    await home.write(
      'pegboard.yaml',
      JSON.stringify({
        models: { default: 'mine/x', contextWindow: 400_000, providers: { mine: provider } },
      }),
    );
    expect(await pegboard(['chat', 'Hello', '--agent', 'work'], { home: home.path })).toMatchObject({
      code: 0,
    });
    expect(model.requests[0]!.tools).toHaveLength(40);
  });

  test('tools as text have no such limit', async () => {
    await using home = await homeWith(150, { 'pegboard.yaml': limited(', native_tool_use: false') });
    expect((await inject(home)).mode).toBe('direct');
  });
});
