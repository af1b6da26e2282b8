import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import type { Host } from '../../../host/host.ts';
import { pegboard, pegboardJson } from '../../kit/cli.ts';
import { createHome, type TestHome } from '../../kit/homes/home.ts';

async function open(files: {
  readonly [file: string]: string;
}): Promise<{ readonly home: TestHome; readonly host: Host } & AsyncDisposable> {
  const home = await createHome(files);
  const host = await createHost({ home: home.path });
  return {
    home,
    host,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

describe('agent.yaml', () => {
  test('is read with everything that it says', async () => {
    await using opened = await open({
      'spaces/work/space.manifest.json': '{ "id": "work", "blockedTools": ["bash"] }',
      'spaces/work/agent/agent.yaml': `
id: architect
name: The architect
description: Draws plans
role: coordinator
brain:
  model: openrouter/some/model
  backend: anthropic
  native_tool_use: false
  context_window: 64000
  fallback: [ollama/small]
  temperature: 0.2
  max_tokens: 900
runtime:
  tool_injection: discovery
  direct_modules: [filesystem]
  watchers: true
  scheduler: true
  max_rounds: 7
  deadline: 30
  spend_per_day: 1.5
tools:
  modules:
    filesystem:
      middleware: { log: , confirm: { actions: [write] } }
blockedTools: [write]
system_prompt: Think first.
hooks:
  pre_tool: [{ match: read, command: "true" }]
`,
    });
    const { host, home } = opened;
    expect(host.spaces.diagnostics).toEqual([]);
    expect(host.spaces.agentFor('architect')).toEqual({
      id: 'architect',
      space: 'work',
      folder: join(home.path, 'spaces/work'),
      name: 'The architect',
      description: 'Draws plans',
      isDefault: false,
      role: 'coordinator',
      brain: {
        model: 'openrouter/some/model',
        backend: 'anthropic',
        nativeToolUse: false,
        contextWindow: 64_000,
        fallback: ['ollama/small'],
        temperature: 0.2,
        maxTokens: 900,
      },
      runtime: {
        toolInjection: 'discovery',
        directModules: ['filesystem'],
        watchers: true,
        scheduler: true,
        maxRounds: 7,
        deadline: 30,
        spendPerDay: 1.5,
      },
      modules: new Map([
        [
          'filesystem',
          {
            config: {},
            setup: [],
            constraints: {},
            middleware: [
              { use: 'log', with: {} },
              { use: 'confirm', with: { actions: ['write'] } },
            ],
            credential: undefined,
          },
        ],
      ]),
      blockedTools: ['bash', 'write'],
      allowUntrusted: [],
      systemPrompt: 'Think first.',
      hooks: { pre_tool: [{ match: 'read', command: 'true' }] },
    });
  });

  test('may be empty: then its defaults hold, and every module is there', async () => {
    await using opened = await open({ 'spaces/work/agent/agent.yaml': '# later\n' });
    expect(opened.host.spaces.agentFor('work')).toMatchObject({
      role: 'assistant',
      brain: { backend: 'openai_compat', nativeToolUse: 'auto', fallback: [] },
      runtime: { directModules: [], watchers: false, scheduler: false, maxRounds: 40, deadline: 600 },
      modules: undefined,
      systemPrompt: undefined,
    });
  });

  test('several to a space are found by id and, where only one is called so, by the end of it', async () => {
    await using opened = await open({
      'spaces/work/agent/agent.yaml': 'name: Main\n',
      'spaces/work/agents/reviewer.yaml': 'name: Reviewer\n',
      'spaces/work/agent/agents/second.yml': 'id: tester\n',
      'spaces/work/agents/twin.yaml': 'id: reviewer\n',
    });
    const { spaces } = opened.host;
    const { diagnostics } = spaces;
    expect(spaces.agents.map(({ id }) => id)).toEqual(['work', 'work/reviewer', 'work/tester']);
    expect(spaces.agentFor('tester').id).toBe('work/tester');
    expect(diagnostics.map(({ code, path, line }) => [code, path, line])).toEqual([
      ['duplicate-agent', join(opened.home.path, 'spaces/work/agents/twin.yaml'), 1],
    ]);
    expect(() => spaces.agentFor('reviewr')).toThrow(
      'There is no agent "reviewr". Did you mean "work/reviewer"?',
    );
  });

  test('beside others leave a space without an agent.yaml its default agent, which acts where none is named', async () => {
    await using opened = await open({
      'spaces/personal/agents/reviewer.yaml': 'blockedTools: [bash]\n',
      'spaces/work/agent/agents/tester.yaml': 'name: Tester\n',
    });
    const { home, host } = opened;
    const ids = (): string[] => host.spaces.agents.map(({ id }) => id);
    expect(ids()).toEqual(['personal', 'personal/reviewer', 'work', 'work/tester']);
    expect(host.spaces.agentFor()).toMatchObject({ id: 'personal', blockedTools: [], modules: undefined });
    await host.spaces.changed([await home.write('spaces/personal/agent/agent.yaml', 'id: own\n')]);
    expect(ids()).toEqual(['own', 'personal/reviewer', 'work', 'work/tester']);
    expect(host.spaces.agentFor().id).toBe('own');
    await host.spaces.changed([await home.write('spaces/work/agent/agent.yaml', 'nme: broken\n')]);
    expect(ids()).toEqual(['own', 'personal/reviewer', 'work/tester']);
  });

  test('that breaks keeps its last good version in service, and says so with place and suggestion', async () => {
    await using opened = await open({ 'spaces/work/agent/agent.yaml': 'runtime: { max_rounds: 5 }\n' });
    const { host, home } = opened;
    const before = host.spaces.agentFor('work');
    const path = await home.write('spaces/work/agent/agent.yaml', 'runtime:\n  max_round: 9\n');
    await host.spaces.changed([path]);
    expect(host.spaces.agentFor('work')).toBe(before);
    expect(host.spaces.diagnostics).toMatchObject([
      { code: 'unknown-key', path, line: 2, column: 3, hint: 'max_round → max_rounds?' },
    ]);
    expect(host.spaces.diagnostics[0]!.message).toContain('the last good version stays in service');
    await home.write('spaces/work/agent/agent.yaml', 'runtime: { max_rounds: 9 }\n');
    await host.spaces.changed([path]);
    expect(host.spaces.agentFor('work').runtime.maxRounds).toBe(9);
    expect(host.spaces.diagnostics).toEqual([]);
  });

  test('that was never good puts nobody with more rights in its place', async () => {
    const files = { 'spaces/personal/agent/agent.yaml': 'blockedTool: [bash]\n' };
    await using opened = await open(files);
    const message = `The agent personal is not in service: ${join(opened.home.path, 'spaces/personal/agent/agent.yaml')}:1:1`;
    expect(() => opened.host.spaces.agentFor('personal')).toThrow(message);
    expect(() => opened.host.spaces.agentFor()).toThrow(message);
  });

  test('of a space whose manifest was never good is not in service either: what it blocks is not known', async () => {
    await using opened = await open({
      'spaces/work/space.manifest.json': '{ "id": "work", "blockedTool": ["bash"] }',
      'spaces/work/agent/agent.yaml': 'name: Main\n',
    });
    expect(() => opened.host.spaces.agentFor('work')).toThrow('blockedTool → blockedTools?');
  });

  test('is not needed to have somebody to talk with: personal first, else one with every tool', async () => {
    await using alone = await open({ 'spaces/work/agent/agent.yaml': 'blockedTools: [bash]\n' });
    expect(alone.host.spaces.agentFor()).toMatchObject({ id: 'personal', blockedTools: [] });
    await using both = await open({
      'spaces/personal/agent/USER.md': 'Ada.',
      'spaces/a/agent/SOUL.md': 'B.',
    });
    expect(both.host.spaces.agentFor()).toMatchObject({ id: 'personal', space: 'personal' });
  });
});

test('while a new personal space is read, nobody acts with more rights than its agent', async () => {
  await using opened = await open({ 'spaces/work/agent/SOUL.md': 'B.' });
  const { spaces } = opened.host;
  expect(spaces.agentFor().id).toBe('personal');
  const path = 'spaces/personal/agent/agent.yaml';
  await opened.home.write(path, 'id: me\nname: Me\ndescription: Mine\nblockedTools: [bash]\n');
  const reading = spaces.changed([join(opened.home.path, path)]).then(() => 'read');
  for (;;) {
    expect(() => spaces.agentFor()).toThrow('has not been read yet');
    expect(spaces.agentFor('work').space).toBe('work');
    if ((await Promise.race([reading, new Promise(setImmediate)])) === 'read') break;
    if (spaces.all.length === 2 && spaces.agents.length === 2) break;
  }
  await reading;
  expect(spaces.agentFor()).toMatchObject({ id: 'me', blockedTools: ['bash'] });
});

describe('pegboard new and lint', () => {
  test('write agents and skills that lint is content with and that work', async () => {
    await using home = await createHome();
    const options = { home: home.path };
    for (const words of [
      ['agent', 'personal'],
      ['agent', 'reviewer'],
      ['skill', 'daily-standup'],
    ])
      expect(await pegboard(['new', ...words], options)).toMatchObject({ code: 0 });
    expect(await pegboard(['lint'], options)).toMatchObject({ code: 0, stderr: 'No problems found.\n' });
    const { tools } = await pegboardJson<{ tools: { id: string }[] }>(
      ['tools', '--agent', 'reviewer'],
      options,
    );
    expect(tools.map(({ id }) => id)).toContain('filesystem.read');
    expect(tools.map(({ id }) => id)).not.toContain('filesystem.bash');
    const again = await pegboard(['new', 'skill', 'daily-standup'], options);
    expect(again).toMatchObject({ code: 2 });
    expect(again.stderr).toContain('is there already; nothing was changed');
    const { stdout } = await pegboard(['call', 'use_skill', 'name=daily-standup'], options);
    expect(stdout).toContain('# Daily Standup');
  });

  test('lint finds what is wrong in agents, their modules, skills and identity', async () => {
    await using home = await createHome({
      'spaces/work/agent/agent.yaml':
        'tools:\n  modules:\n    filesystem:\n      constraints: { allowed_actions: [raed], read_onyl: true }\n',
      'spaces/work/agents/b.yaml': 'brain: { native_tool_use: sometimes }\n',
      'spaces/work/agent/skills/good.md': '---\nname: better\ndescription: D\n---\nDo it.\n',
      'spaces/work/agent/skills/deep/SKILL.md': '---\nname: deep\nmodel: x\n---\nDo it.\n',
      'spaces/work/agent/SOUL.md': 'A line that is long enough.\n'.repeat(400),
    });
    const { diagnostics } = await pegboardJson<{ diagnostics: Record<string, unknown>[] }>(['lint'], {
      home: home.path,
    });
    expect(diagnostics.map(({ path, line, column, code, hint }) => [path, line, column, code, hint])).toEqual(
      [
        ['spaces/work/agents/b.yaml', 1, 27, 'not-allowed', undefined],
        ['spaces/work/agent/SOUL.md', 285, 28, 'identity-too-long', expect.any(String)],
        ['spaces/work/agent/skills/deep/SKILL.md', 2, 1, 'missing-key', undefined],
        ['spaces/work/agent/skills/deep/SKILL.md', 3, 1, 'unknown-key', undefined],
        ['spaces/work/agent/skills/good.md', 2, 7, 'other-name', undefined],
        ['spaces/work/agent/agent.yaml', 4, 40, 'unknown-action', 'raed → read?'],
        ['spaces/work/agent/agent.yaml', 4, 47, 'unknown-constraint', 'read_onyl → read_only?'],
      ],
    );
    const { stdout } = await pegboard(['lint', 'spaces/work/agents'], { home: home.path, cwd: home.path });
    expect(stdout).toContain('spaces/work/agents/b.yaml:1:27');
    expect(stdout).not.toContain('agent.yaml');
  });
});
