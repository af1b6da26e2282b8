import { describe, expect, test } from 'vitest';
import { createHost } from '../../../../host/create-host.ts';
import { pegboard } from '../../../kit/cli.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';
import { fixture } from '../../../kit/mcp/mcp-source.ts';
import { startScriptedModel, modelsOf } from '../../../../host/testing/index.ts';

const withRules = (list: 'allow' | 'deny', rules: readonly string[], more: object = {}): Promise<TestHome> =>
  createHome({
    'pegboard.yaml': JSON.stringify({ permissions: { [list]: rules }, ...more }),
    '.env': 'TOKEN=x\n',
    'notes/a.md': 'a',
    'src/b.ts': 'b',
  });

/** What becomes of calls that nobody can be asked about. */
async function outcomes(home: TestHome, calls: readonly (readonly [string, object])[]): Promise<string[]> {
  await using host = await createHost({ home: home.path, mcp: 'off', environment: process.env });
  const scope = host.scopeFor(undefined);
  const all: string[] = [];
  for (const [name, args] of calls) {
    const { error } = await host.dispatch({ name, args, scope, caller: 'test' });
    all.push(error?.code === 'PEG_DENIED' ? 'denied' : error?.code === 'PEG_NOBODY_TO_ASK' ? 'asked' : 'ran');
  }
  return all;
}

describe('rules as Claude Code writes them', () => {
  test('refuse what they refuse there', async () => {
    await using home = await withRules('deny', [
      'Bash(rm:*)',
      'Read(./.env)',
      'Edit(src/**)',
      'WebFetch(domain:example.com)',
      'mcp__pegboard__schedule_list',
    ]);
    const done = await outcomes(home, [
      ['bash', { command: 'rm notes/a.md' }],
      ['bash', { command: 'ls notes && rm -r notes' }],
      ['read', { path: '.env' }],
      ['grep', { pattern: 'x', path: '.env' }],
      ['write', { path: 'src/b.ts', content: '' }],
      ['edit', { path: 'src/b.ts', old_string: 'b', new_string: 'c' }],
      ['web_read', { url: 'https://example.com/' }],
      ['schedule_list', {}],
      ['read', { path: 'notes/a.md' }],
      ['read', { path: 'src/b.ts' }],
    ]);
    expect(done).toEqual([...Array<string>(8).fill('denied'), 'ran', 'ran']);
  });

  test('allow what they allow there, and nothing else', async () => {
    await using home = await withRules('allow', ['Bash(rm:*)', 'Edit(notes/**)'], { confirm: 'always' });
    const done = await outcomes(home, [
      ['write', { path: 'notes/new.md', content: 'x' }],
      ['write', { path: 'src/new.ts', content: 'x' }],
      ['bash', { command: 'rm notes/new.md' }],
      ['bash', { command: 'mv notes/a.md x' }],
    ]);
    expect(done).toEqual(['ran', 'asked', 'ran', 'asked']);
  });

  test.each(['mcp__notes__say', 'mcp__notes', 'mcp__notes__*'])('mean a server’s tools: %s', async (rule) => {
    await using home = await withRules('deny', [rule], { mcpServers: { notes: fixture('speaks') } });
    await pegboard(['mcp', 'approve', 'notes', '--yes'], { home: home.path });
    const denied = await pegboard(['call', 'notes__say', 'text=x', '--yes'], { home: home.path });
    expect(denied).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('under permissions.deny') as string,
    });
  });
});

describe('a rule that refuses or asks about nothing stops the start with its line', () => {
  const cases: readonly (readonly [list: string, rule: string, message: string])[] = [
    ['deny', 'Rm(*)', '"Rm(*)" refuses nothing: this home has no such tool'],
    ['deny', 'mcp__filesystem__grep', '"mcp__filesystem__grep" refuses nothing'],
    ['ask', 'filesytem.write', 'filesytem.write → filesystem.write?'],
    ['deny', 'bash(*>*)', 'a rule is about one command, without redirections and operators'],
    ['ask', 'bash(curl * | sh)', 'asks about nothing: a rule is about one command'],
  ];
  test.each(cases)('%s: %s', async (list, rule, message) => {
    await using model = await startScriptedModel([{ text: 'hello' }]);
    const text = `models: ${JSON.stringify(modelsOf(model))}\npermissions:\n  ${list}:\n    - read\n    - ${JSON.stringify(rule)}\n`;
    await using home = await createHome({ 'pegboard.yaml': text });
    for (const args of [['start'], ['serve', '--stdio'], ['chat', 'hi']]) {
      const { code, stderr, stdout } = await pegboard(args, { home: home.path });
      expect(stdout).toBe('');
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) as string });
      expect(stderr).toContain('pegboard.yaml:5:');
    }
    expect((await pegboard(['lint'], { home: home.path })).code).toBe(1);
  });

  test('also in the file of an agent; one that allows nothing does not', async () => {
    const agent = (list: string): string => `id: work\npermissions:\n  ${list}: [reed]\n`;
    await using home = await createHome({ 'spaces/work/agent/agent.yaml': agent('deny') });
    const refused = await pegboard(['serve', '--stdio'], { home: home.path });
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('spaces/work/agent/agent.yaml:3:');
    await home.write('spaces/work/agent/agent.yaml', agent('allow'));
    expect(await pegboard(['serve', '--stdio'], { home: home.path })).toMatchObject({ code: 0 });
  });

  test('a server that was never connected may have the tool', async () => {
    await using home = await withRules('deny', ['mcp__later__wipe', 'later.wipe'], {
      mcpServers: { later: { command: 'no-such-program' } },
    });
    expect(await pegboard(['serve', '--stdio'], { home: home.path })).toMatchObject({ code: 0 });
  });
});
