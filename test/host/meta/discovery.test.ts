import { describe, expect, test } from 'vitest';
import type { Scope } from '../../../host/api/source.ts';
import type { Tool } from '../../../host/api/tool.ts';
import { textOf } from '../../../host/tools/result.ts';
import { kernelWithMeta } from '../../kit/meta.ts';
import { echoTool, memorySource } from '../../kit/source.ts';

const github: readonly Tool[] = [
  echoTool({
    name: 'create_issue',
    description: 'Opens an issue in a repository',
    parameters: {
      type: 'object',
      properties: { title: { type: 'string' }, body: { type: 'string' } },
      required: ['title'],
    },
    annotations: { readOnlyHint: false, destructiveHint: false },
    aliases: ['report a bug'],
    tags: ['tracker'],
    category: 'issues',
    examples: [{ input: { title: 'It broke' } }],
  }),
  echoTool({
    name: 'list_issues',
    description: 'Lists the issues of a repository',
    annotations: { readOnlyHint: true, openWorldHint: true },
    category: 'issues',
  }),
  echoTool({
    name: 'delete_repository',
    description: 'Deletes a repository for good',
    annotations: { destructiveHint: true },
  }),
  echoTool({ name: 'star', description: 'Says nothing of what it does to the world' }),
];
const deploying: readonly Tool[] = [
  echoTool({ name: 'deploy', description: 'Deploys the site', confirm: true }),
  echoTool({ name: 'preview', description: 'Builds a preview of the site' }),
];

const kernel = async () => {
  const made = await kernelWithMeta(memorySource(github, { module: 'github', kind: 'mcp' }));
  await made.registry.add(memorySource(deploying, { module: 'site', kind: 'manifest' }));
  const list = async (name: string, args: object, scope?: Scope) =>
    JSON.parse(textOf(await made.call(name, args, scope && { scope }))) as Record<string, unknown>[];
  return { ...made, list };
};
const named = (items: readonly Record<string, unknown>[]) => items.map(({ name }) => String(name));

describe('search_tools', () => {
  test('finds tools, with their risk and parameters', async () => {
    const { list } = await kernel();
    expect((await list('search_tools', { query: 'github create issue' }))[0]).toEqual({
      name: 'github.create_issue',
      description: 'Opens an issue in a repository',
      risk: 'medium',
      parameters: 'title*, body',
    });
  });

  test('wants a domain by its schema, and does without', async () => {
    const { list, registry } = await kernel();
    expect(registry.snapshot.tools.get('meta.search_tools')!.parameters).toMatchObject({
      required: ['domain'],
    });
    const first = async (args: object) => named(await list('search_tools', args))[0];
    expect(await first({ queries: ['create issue'], domain: 'github' })).toBe('github.create_issue');
    expect(await first({ queries: ['create issue'] })).toBe('github.create_issue');
  });

  test('says which argument does not fit', async () => {
    const { call } = await kernel();
    const result = await call('search_tools', { queries: ['issue'], limit: 500 });
    expect(result.error).toMatchObject({ code: 'PEG_INVALID_ARGUMENTS' });
    expect(textOf(result)).toContain('limit');
  });

  test('takes several queries at once', async () => {
    const { list } = await kernel();
    const found = named(await list('search_tools', { queries: ['delete repository', 'deploy site'] }));
    expect(found).toEqual(expect.arrayContaining(['github.delete_repository', 'site.deploy']));
  });

  test.for([
    [{ category: 'issues' }, ['github.create_issue', 'github.list_issues']],
    [{ category: 'Site' }, ['site.deploy', 'site.preview']],
  ] as const)('narrows by %j', async ([filter, names]) => {
    const { list } = await kernel();
    const found = await list('search_tools', { queries: ['issue repository', 'site'], ...filter });
    expect(named(found).toSorted()).toEqual(names);
  });

  test('puts the tools of a server before others that fit as well', async () => {
    const { list } = await kernel();
    const first = async (server: string) =>
      named(await list('search_tools', { query: 'site repository', server }))[0]!.split('.')[0];
    expect(await first('github')).toBe('github');
    expect(await first('site')).toBe('site');
  });

  test('gives at most as many as asked for', async () => {
    const { list } = await kernel();
    expect(await list('search_tools', { query: 'repository', limit: 2 })).toHaveLength(2);
  });

  test('finds nothing where nothing matches, and says what else to try', async () => {
    const { call } = await kernel();
    const result = await call('search_tools', { query: 'xylophone' });
    expect(result.error).toBeUndefined();
    expect(textOf(result)).toMatch(/No tool matches "xylophone".*list_categories/);
    expect(textOf(result).match(/^\{"nearest":true/gm)).toHaveLength(3);
  });

  test('names the nearest three as such where nothing matches', async () => {
    const { call } = await kernel();
    const query = 'could you polish the silver candlesticks and put the stamps into their repository';
    const text = textOf(await call('search_tools', { query, limit: 10 }));
    expect(text).toMatch(/^No tool matches "could you polish/);
    const items = JSON.parse(text.slice(text.indexOf('['))) as Record<string, unknown>[];
    expect(items.length).toBeGreaterThan(0);
    expect(items.length).toBeLessThanOrEqual(3);
    expect(items[0]).toMatchObject({ nearest: true, name: 'github.delete_repository' });
  });

  test('finds neither meta-tools nor what the caller may not use', async () => {
    const { list } = await kernel();
    const scope: Scope = { identity: 'agent', access: { blocked: ['site.deploy'] } };
    const found = named(
      await list(
        'search_tools',
        { queries: ['preview site', 'deploy site', 'list tool categories'], limit: 50 },
        scope,
      ),
    );
    expect(found).toContain('site.preview');
    expect(found).not.toContain('site.deploy');
    expect(found.filter((name) => name.startsWith('meta.'))).toEqual([]);
  });

  test('without a query says what it needs', async () => {
    const { call } = await kernel();
    for (const args of [{}, { queries: [' '] }]) {
      const result = await call('search_tools', args);
      expect(result.error?.code).toBe('PEG_INVALID_ARGUMENTS');
      expect(textOf(result)).toContain('"queries"');
    }
  });
});

describe('get_tool', () => {
  test('gives everything that a model needs to call it well', async () => {
    const { call } = await kernel();
    expect(JSON.parse(textOf(await call('get_tool', { name: 'github.create_issue' })))).toEqual({
      name: 'github.create_issue',
      description: 'Opens an issue in a repository',
      category: 'issues',
      risk: 'medium',
      side_effects: 'only adds',
      parameters: github[0]!.parameters,
      examples: [{ input: { title: 'It broke' } }],
      aliases: ['report a bug'],
      tags: ['tracker'],
    });
  });

  test('says that the user is asked before it runs', async () => {
    const { call } = await kernel();
    expect(JSON.parse(textOf(await call('get_tool', { name: 'deploy' })))).toMatchObject({
      name: 'site.deploy',
      category: 'site',
      risk: 'high',
      confirm: 'the user is asked before it runs',
    });
  });

  test('answers a near miss with the names that may have been meant', async () => {
    const { call } = await kernel();
    const result = await call('get_tool', { name: 'site.deplyo' });
    expect(result.error).toMatchObject({ code: 'PEG_TOOL_NOT_FOUND' });
    expect(textOf(result)).toContain('Did you mean site.deploy');
  });

  test('shows nothing of what the caller may not use', async () => {
    const { call } = await kernel();
    const scope: Scope = { identity: 'agent', access: { allowed: ['github'] } };
    const result = await call('get_tool', { name: 'site.deploy' }, { scope });
    expect(result.error?.code).toBe('PEG_TOOL_UNAVAILABLE');
    expect(textOf(result)).not.toContain('Deploys');
  });
});

describe('list_categories', () => {
  test('counts the tools of every module and of every category that tools name', async () => {
    const { list } = await kernel();
    expect(await list('list_categories', {})).toEqual([
      { category: 'site', tools: 2, description: 'Tools of site' },
      { category: 'github', tools: 4, description: 'Tools of github' },
      { category: 'issues', tools: 2 },
    ]);
  });

  test('leaves out what the caller may not use', async () => {
    const { list } = await kernel();
    const scope: Scope = { identity: 'agent', access: { blocked: ['github'] } };
    expect(await list('list_categories', {}, scope)).toHaveLength(1);
  });
});

describe('browse_category', () => {
  test('marks each tool with its risk', async () => {
    const { list } = await kernel();
    const risks = (await list('browse_category', { category: 'github' })).map(({ name, risk }) => [
      name,
      risk,
    ]);
    expect(risks).toEqual([
      ['github.create_issue', 'medium'],
      ['github.list_issues', 'low'],
      ['github.delete_repository', 'high'],
      // MCP: a tool without hints may be destructive.
      ['github.star', 'high'],
    ]);
    const own = (await list('browse_category', { category: 'site' })).map(({ name, risk }) => [name, risk]);
    expect(own).toEqual([
      ['site.deploy', 'high'],
      ['site.preview', 'medium'],
    ]);
  });

  test('pages through a large one, each tool once', async () => {
    const tools = Array.from({ length: 45 }, (_, at) => echoTool({ name: `tool_${at}` }));
    const { call } = await kernelWithMeta(memorySource(tools, { module: 'large' }));
    const pages = await Promise.all(
      [1, 2, 3].map(async (page) => textOf(await call('browse_category', { category: 'large', page }))),
    );
    expect(pages[0]).toMatch(/^Page 1 of 3, 45 tools:\n\[/);
    const names = pages.flatMap((page) => named(JSON.parse(page.slice(page.indexOf('\n'))) as []));
    expect(names).toEqual(tools.map(({ name }) => `large.${name}`));
    const beyond = await call('browse_category', { category: 'large', page: 4 });
    expect(textOf(beyond)).toContain('has 3 pages, no page 4');
  });

  test('answers a category that is not there with near ones', async () => {
    const { call } = await kernel();
    const result = await call('browse_category', { category: 'githb' });
    expect(result.error).toMatchObject({ data: { suggestions: ['github'] } });
    expect(textOf(result)).toContain('Did you mean github');
  });
});
