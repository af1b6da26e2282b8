import { describe, expect, test } from 'vitest';
import type { Agent } from '../../../host/api/agent.ts';
import type { Tool } from '../../../host/api/tool.ts';
import { createMetaSource } from '../../../host/meta/source.ts';
import { planInjection, type InjectionRequest } from '../../../host/tools/injection/plan-injection.ts';
import { assistant, registered } from '../../kit/data/injection.ts';
import { echoTool, memorySource } from '../../kit/source.ts';

const unused = (): never => {
  throw new Error('not called here');
};
const metaSource = createMetaSource({ snapshot: unused, search: unused, dispatch: unused }, [
  echoTool({ name: 'run_parallel', description: 'Several calls at once' }),
]);
const meta = await registered([metaSource]);

const reading = {
  type: 'object',
  properties: { path: { type: 'string', description: 'The file' } },
  required: ['path'],
};
const files = memorySource(
  [
    echoTool({
      name: 'read',
      description: 'Reads a file.\nIn pages.',
      parameters: reading,
      examples: [{ input: { path: 'a.txt' } }],
    }),
    echoTool({ name: 'write', description: 'Writes a file.', parameters: reading }),
  ],
  { module: 'filesystem', kind: 'builtin' },
);
const git = memorySource([echoTool({ name: 'log', description: 'Commits.' })], {
  module: 'git',
  kind: 'mcp',
});
const tools = await registered([files, git]);

const plan = (request: Partial<InjectionRequest>) =>
  planInjection({ agent: assistant, tools, meta, contextWindow: 200_000, ...request });
const namesOf = (request: Partial<InjectionRequest>) => plan(request).tools.map(({ name }) => name);

describe('direct', () => {
  test('shows every tool with its whole schema and examples, and no tools that only lead to others', () => {
    expect(plan({}).tools).toEqual([
      { name: 'run_parallel', description: 'Several calls at once', parameters: { type: 'object' } },
      {
        name: 'read',
        description: 'Reads a file.\nIn pages.\nExample: {"path":"a.txt"}',
        parameters: reading,
      },
      { name: 'write', description: 'Writes a file.', parameters: reading },
      { name: 'git__log', description: 'Commits.', parameters: { type: 'object' } },
    ]);
  });

  test('says how much there is, and nothing about a search that is not needed', () => {
    expect(plan({}).prompt).toBe(
      'You are agent "example" (role: assistant).\n\nYou have access to 3 tools across 2 domains.',
    );
  });
});

describe('compact', () => {
  const mode = 'compact_direct';

  test('shows every tool by name and one line, with a schema that admits anything', () => {
    expect(plan({ mode }).tools.slice(2)).toEqual([
      { name: 'read', description: 'Reads a file.', parameters: { type: 'object' } },
      { name: 'write', description: 'Writes a file.', parameters: { type: 'object' } },
      { name: 'git__log', description: 'Commits.', parameters: { type: 'object' } },
    ]);
    expect(namesOf({ mode }).slice(0, 2)).toEqual(['get_tool', 'run_parallel']);
  });

  test('keeps what was used lately in full, at the end', () => {
    const { tools: sent } = plan({ mode, kept: ['filesystem.read'] });
    expect(sent.map(({ name }) => name).slice(2)).toEqual(['write', 'git__log', 'read']);
    expect(sent.at(-1)!.parameters).toEqual(reading);
  });
});

describe('discovery', () => {
  const mode = 'discovery';
  const leading = ['search_tools', 'get_tool', 'execute_tool', 'list_categories', 'browse_category'];
  const metaNames = [...leading, 'run_parallel'];

  test('shows the meta-tools alone', () => {
    expect(namesOf({ mode })).toEqual(metaNames);
  });

  test('tells the model how to find and run the rest', () => {
    const { prompt } = plan({ mode });
    expect(prompt).toMatch(
      /^You are agent "example" \(role: assistant\)\.\n\nYou have access to 3 tools across 2 domains\./,
    );
    for (const name of leading) expect(prompt).toContain(`- ${name}: `);
    expect(prompt).toContain('1. Discover');
  });

  test('keeps what was used lately in full at the end, each once, and nothing that is gone', () => {
    const kept = ['git.log', 'filesystem.read', 'git.log', 'removed.tool'];
    expect(namesOf({ mode, kept })).toEqual([...metaNames, 'git__log', 'read']);
  });

  test('what is sent grows at its end only when another tool is used', () => {
    const sent = (...kept: string[]) => JSON.stringify(plan({ mode, kept }).tools).slice(0, -1);
    expect(sent('git.log', 'filesystem.read').startsWith(sent('git.log'))).toBe(true);
    expect(sent('git.log').startsWith(sent())).toBe(true);
  });

  const pack = (module: string, ...names: string[]) =>
    memorySource(
      names.map((name) => echoTool({ name })),
      { module, kind: 'builtin' },
    );
  const withModule = (module: string) => ({
    ...assistant,
    modules: new Map([
      [module, { config: {}, setup: [], constraints: {}, middleware: [], credential: undefined }],
    ]),
  });
  const withRuntime = (runtime: Partial<Agent['runtime']>) => ({
    ...assistant,
    runtime: { ...assistant.runtime, ...runtime },
  });
  const withAll = [
    pack('memory', 'remember'),
    pack('core', 'memory_store', 'secret_list'),
    pack('agent_spawn', 'agent'),
    pack('skills', 'deploy_skill'),
    pack('watchers', 'watch_start'),
    pack('cron_native', 'schedule', 'cancel_schedule', 'remind'),
    pack('channels', 'notify'),
    pack('workspace', 'WsRead'),
    pack('database', 'query'),
  ];

  test.for<readonly [string, InjectionRequest['agent'], readonly string[]]>([
    ['any agent', assistant, []],
    ['a coordinator', { ...assistant, role: 'coordinator' }, ['agent']],
    ['an agent with watchers', withRuntime({ watchers: true }), ['watch_start']],
    [
      'an agent with a scheduler',
      withRuntime({ scheduler: true }),
      ['schedule', 'cancel_schedule', 'remind'],
    ],
    ['an agent with a direct module', withRuntime({ directModules: ['database'] }), ['query']],
    ['an agent with a workspace', withModule('workspace'), ['WsRead']],
    ['an agent with channels', withModule('channels'), ['notify']],
  ])('shows %s the sets that belong to it', async ([, agent, more]) => {
    const all = await registered(withAll);
    const always = ['remember', 'memory_store', 'deploy_skill'];
    const sent = planInjection({ agent, tools: all, meta: [], contextWindow: 8_000, mode }).tools;
    expect(sent.map(({ name }) => name).toSorted()).toEqual([...always, ...more].toSorted());
  });

  test('shows no tool of a server or space that is merely called like one of these sets', async () => {
    const kinds = ['mcp', 'manifest'] as const;
    for (const kind of kinds) {
      const named = await registered([memorySource([echoTool()], { module: 'memory', kind })]);
      expect(namesOf({ mode, tools: named })).toEqual(metaNames);
    }
  });

  test('a direct module may be a server', () => {
    expect(namesOf({ mode, agent: withRuntime({ directModules: ['git'] }) })).toEqual([
      ...metaNames,
      'git__log',
    ]);
  });
});

describe('the mode', () => {
  const verbose: Tool = echoTool({ name: 'verbose', description: 'x'.repeat(10_000) });

  test('is the one that the agent forces, whatever it costs', async () => {
    const agent = { ...assistant, runtime: { ...assistant.runtime, toolInjection: 'direct' as const } };
    const all = await registered([verbose]);
    expect(plan({ agent, tools: all, contextWindow: 1_000 })).toMatchObject({
      mode: 'direct',
      reason: 'direct is forced',
      toolTokens: expect.any(Number),
    });
  });

  test('that is asked for goes before the agent’s', () => {
    const agent = { ...assistant, runtime: { ...assistant.runtime, toolInjection: 'direct' as const } };
    expect(plan({ agent, mode: 'discovery' }).mode).toBe('discovery');
  });

  test('does not depend on meta-tools', async () => {
    const many = await registered([verbose]);
    expect(plan({ meta: many }).toolTokens).toBe(plan({ meta: [] }).toolTokens);
  });
});

test('packs that a message is not about are left out, and can be searched for', () => {
  const isRelevant = ({ source }: { readonly source: { readonly module: string } }) =>
    source.module === 'git';
  expect(namesOf({ isRelevant })).toEqual([
    'search_tools',
    'get_tool',
    'execute_tool',
    'run_parallel',
    'git__log',
  ]);
  expect(namesOf({ isRelevant, kept: ['filesystem.write'] }).slice(-2)).toEqual(['git__log', 'write']);
});

test('the same tools give the same bytes, also from another snapshot', async () => {
  for (const mode of ['direct', 'compact_direct', 'discovery'] as const) {
    const again = await registered([files, git]);
    expect(JSON.stringify(plan({ mode, tools: again }))).toBe(JSON.stringify(plan({ mode })));
  }
});
