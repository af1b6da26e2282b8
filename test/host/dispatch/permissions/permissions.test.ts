import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Ask, Question } from '../../../../host/api/ask.ts';
import type { CallRequest } from '../../../../host/api/dispatch.ts';
import type { ToolResult } from '../../../../host/api/result.ts';
import { createHost } from '../../../../host/create-host.ts';
import { createHome, manifest, type TestHome } from '../../../kit/homes/home.ts';
import { openAgentHome } from '../../../kit/homes/agent-home.ts';
import { kernel } from '../../../kit/dispatch.ts';
import { echoTool } from '../../../kit/source.ts';
import { obeying, order } from '../../../system/provenance/obeying-model.ts';

const outcome = ({ error }: ToolResult): string =>
  !error || error.code === 'PEG_COMMAND_FAILED'
    ? 'ran'
    : error.code === 'PEG_NOBODY_TO_ASK'
      ? 'asked'
      : error.code === 'PEG_DENIED'
        ? 'denied'
        : error.message;

const tool = (id: string, more = ''): string =>
  manifest(
    id,
    `parameters: [{ name: name, type: string }, { name: count, type: integer }]\ncommand: "echo ran {{name}}"\n${more}`,
  );

const files = {
  'spaces/work/agent/agent.yaml': `id: work
permissions:
  allow: ["edit(drafts/**)", "write(drafts/**)", "publish(name: draft-*)"]
  ask: ["greet(name: Bob)"]
  deny: ["read(agent/agent.yaml)"]
`,
  'spaces/work/agent/tools/publish.md': tool('publish', 'confirm: true'),
  'spaces/work/agent/tools/greet.md': tool('greet'),
  'spaces/work/agent/tools/pay.md': tool('pay', 'confirm: true'),
  'notes/a.md': 'a',
  'notes/private/b.md': 'b',
};
const config = `permissions:
  allow:
    - bash(git status *)
    - write(notes/**)
    - web_read
  ask: [listdir]
  deny:
    - filesystem.*(notes/private/**)
    - http_get(domain:example.com)
    - "pay(count: 1*)"
`;

/** A host of the home whose calls nobody can be asked about. */
async function openRules(home: TestHome) {
  const host = await createHost({ home: home.path, mcp: 'off', environment: { PATH: process.env['PATH'] } });
  const call = async (name: string, args: object, request: Partial<CallRequest> = {}): Promise<string> =>
    outcome(await host.dispatch({ name, args, scope: host.scopeFor('work'), caller: 'test', ...request }));
  return { host, call, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

describe('the rules of a home and of an agent', () => {
  test('a listing leaves out what they deny to it, or to another tool that reads files', async () => {
    const rules = '[filesystem.*(notes/private/**), "read(*.key.md)", write(notes/a.md), greet(notes)]';
    await using home = await createHome({
      ...files,
      'notes/my.key.md': 'c',
      'pegboard.yaml': `permissions: { deny: ${rules} }\n`,
    });
    await using opened = await openRules(home);
    const { host } = opened;
    const listed = async (name: string, args: object): Promise<string> => {
      const { content } = await host.dispatch({ name, args, scope: host.scopeFor('work'), caller: 'test' });
      return JSON.stringify(content);
    };
    for (const found of [
      await listed('glob', { pattern: '**/*.md', path: 'notes' }),
      await listed('glob', { pattern: 'notes/**' }),
      await listed('listdir', { path: 'notes' }),
      await listed('listdir', { path: 'notes', recursive: true }),
    ]) {
      expect(found).toContain('a.md');
      expect(found).not.toMatch(/private|b\.md|my\.key/);
    }
    expect(await opened.call('glob', { pattern: '*.md', path: 'notes/private' })).toBe('denied');
  });

  test('allow, ask and deny calls by command, real path, domain and argument; a deny comes first, then an ask', async () => {
    await using home = await createHome({ ...files, 'pegboard.yaml': config });
    symlinkSync(join(home.path, 'notes/private'), join(home.path, 'notes/open'));
    await using rules = await openRules(home);
    const { call, host } = rules;
    const content = 'x';
    const found = {
      command: await call('bash', { command: 'git status --short' }),
      'another command': await call('bash', { command: 'git stash' }),
      dangerous: await call('bash', { command: 'git status; rm -rf notes' }),
      'path in the home': await call('write', { path: 'notes/new/c.md', content }),
      'path elsewhere': await call('write', { path: 'c.md', content }),
      'what decides what runs': await call('write', { path: 'notes/package.json', content }),
      'path that leaves the folder': await call('write', { path: 'notes/../c.md', content }),
      'path in the space': await call('write', { path: 'spaces/work/drafts/c.md', content }),
      'denied path': await call('write', { path: 'notes/private/c.md', content }),
      'read of a denied path': await call('read', { path: 'notes/private/b.md' }),
      'denied by real path': await call('read', { path: 'notes/open/b.md' }),
      'denied in other letters': await call('read', { path: 'notes/PRIVATE/none.md' }),
      'search above what is denied': await call('grep', { pattern: 'b', path: 'notes' }),
      'search beside it': await call('grep', { pattern: 'x', path: 'notes/new' }),
      "denied in the agent's file": await call('read', { path: 'spaces/work/agent/agent.yaml' }),
      'asked every time': await call('listdir', { path: '.' }),
      'denied domain': await call('http_get', { url: 'https://EXAMPLE.com./x' }),
      'denied subdomain': await call('http_get', { url: 'https://www.example.com/x' }),
      'allowed argument': await call('publish', { name: 'draft-1' }),
      'another argument': await call('publish', { name: 'final' }),
      'no argument': await call('publish', {}),
      'asked argument': await call('greet', { name: 'bob' }),
      'unasked argument': await call('greet', { name: 'Ada' }),
      'denied number': await call('pay', { count: 15 }),
      'another number': await call('pay', { count: 25 }),
      'a tool within a tool': await call('execute_tool', {
        name: 'read',
        params: { path: 'notes/private/b.md' },
      }),
    };
    expect(found).toEqual({
      command: 'ran',
      'another command': 'asked',
      dangerous: 'asked',
      'path in the home': 'ran',
      'path elsewhere': 'asked',
      'what decides what runs': 'asked',
      'path that leaves the folder': 'asked',
      // Rules don't lift what guards the files of spaces.
      'path in the space': 'asked',
      'denied path': 'denied',
      'read of a denied path': 'denied',
      'denied by real path': 'denied',
      'denied in other letters': expect.stringMatching(/denied|does not exist/),
      'search above what is denied': 'denied',
      'search beside it': 'ran',
      "denied in the agent's file": 'denied',
      'asked every time': 'asked',
      'denied domain': 'denied',
      'denied subdomain': 'denied',
      'allowed argument': 'ran',
      'another argument': 'asked',
      'no argument': 'asked',
      'asked argument': 'asked',
      'unasked argument': 'ran',
      'denied number': 'denied',
      'another number': 'asked',
      'a tool within a tool': 'denied',
    });
    const owner = { scope: host.scopeFor(undefined), caller: 'cli' };
    expect(await call('read', { path: 'notes/private/b.md' }, owner)).toBe('denied');
    expect(await call('publish', { name: 'draft-1' }, owner)).toBe('asked');
    const { error } = await host.dispatch({ name: 'read', args: { path: 'notes/private/b.md' }, ...owner });
    expect(error?.message).toContain('"filesystem.*(notes/private/**)" under permissions.deny');
    expect(error?.message).toContain(join(home.path, 'pegboard.yaml'));
  });

  test('hold where nothing else asks: a deny and an ask with confirm: never, a deny with --yes', async () => {
    await using home = await createHome({ ...files, 'pegboard.yaml': `confirm: never\n${config}` });
    await using rules = await openRules(home);
    const { call } = rules;
    expect(await call('pay', { count: 25 })).toBe('ran');
    expect(await call('pay', { count: 15 })).toBe('denied');
    expect(await call('pay', { count: 15 }, { confirm: 'never' })).toBe('denied');
    expect(await call('listdir', { path: '.' })).toBe('asked');
    expect(await call('listdir', { path: '.' }, { confirm: 'never' })).toBe('ran');
  });

  test('of this machine add to those of the home, and never take from them', async () => {
    await using home = await createHome({
      ...files,
      'pegboard.yaml': 'permissions:\n  deny: [pay]\n',
      'pegboard.local.yaml': 'permissions:\n  allow: [publish]\n  deny: [greet]\n',
    });
    await using rules = await openRules(home);
    const { call, host } = rules;
    expect(await call('pay', {})).toBe('denied');
    expect(await call('greet', {})).toBe('denied');
    expect(await call('publish', { name: 'final' })).toBe('ran');
    const [first, second] = host.config.permissions.deny;
    expect([first?.file, second?.file]).toEqual(
      ['pegboard.yaml', 'pegboard.local.yaml'].map((name) => join(home.path, name)),
    );
    await home.write('pegboard.local.yaml', 'permissions:\n  allow: [publish]\n  deny: [greet, "pay ()"]\n');
    await host.reloadConfig();
    expect(host.diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
      {
        path: join(home.path, 'pegboard.local.yaml'),
        line: 3,
        message: expect.stringContaining('must look like'),
      },
    ]);
    // The last good rules stay in service.
    expect(await call('greet', {})).toBe('denied');
  });

  test('a bare name allows the tool that it calls, not one of the same name elsewhere', async () => {
    await using home = await createHome({
      ...files,
      'pegboard.yaml': 'permissions:\n  allow: [publish, "*.pay"]\n',
      'spaces/zoo/agent/tools/publish.md': tool('publish', 'confirm: true'),
      'spaces/zoo/agent/tools/pay.md': tool('pay', 'confirm: true'),
    });
    await using rules = await openRules(home);
    const owner = { scope: rules.host.scopeFor(undefined), caller: 'test' };
    const calls = ['work.publish', 'zoo.publish', 'work.pay', 'zoo.pay'];
    const found = [];
    for (const name of calls) found.push(await rules.call(name, {}, owner));
    expect(found).toEqual(['ran', 'asked', 'ran', 'ran']);
  });
});

test('a rule lifts the general question alone', async () => {
  const prepared = (parts: object) => ({ prepare: () => ({ preview: 'x', ...parts }) });
  const tools = [
    echoTool({ name: 'confirmed', confirm: true }),
    echoTool({ name: 'unknown', ...prepared({ confirm: 'Unknown.' }) }),
    echoTool({ name: 'dangerous', ...prepared({ sensitive: 'It deletes.' }) }),
    echoTool({ name: 'secretive', confirm: true, secrets: () => ['TOKEN'] }),
    echoTool({ name: 'hooked', confirm: true }),
  ];
  const rule = { text: 'memory', file: '/pegboard.yaml', folder: '/', userHome: '/' };
  const current = () => ({ allow: [rule], ask: [], deny: [], agents: new Map() });
  const permissions = { home: '/', current, allow: async () => {}, timesAllowed: () => 0 };
  const preTool = { tools: 'hooked', handler: () => ({ confirm: 'Really?' }) };
  const { call } = await kernel(tools, {
    permissions,
    confirmPolicy: () => 'always',
    hooks: [{ name: 'careful', hooks: { preTool } }],
  });
  const scope = { identity: 'agent', agent: 'work', access: {} } as const;
  const found: { [name: string]: string } = {};
  for (const { name } of tools) found[name] = outcome(await call(name, {}, { scope }));
  found['this call'] = outcome(await call('confirmed', {}, { scope, confirm: 'always' }));
  expect(found).toEqual({
    confirmed: 'ran',
    unknown: 'ran',
    dangerous: 'asked',
    secretive: 'asked',
    hooked: 'asked',
    'this call': 'asked',
  });
});

describe('an agent in a turn', () => {
  test('is offered a rule with the third question about the same call, which is written and holds', async () => {
    await using home = await openAgentHome(obeying, {
      files: { 'spaces/personal/agent/agent.yaml': 'id: personal\n' },
    });
    const questions: Question[] = [];
    const offers = (): readonly (readonly string[])[] =>
      questions.map(({ schema }) => {
        const { answer } = (schema?.['properties'] ?? {}) as { answer?: { enum: string[] } };
        return answer?.enum ?? ['once'];
      });
    const ask: Ask = async (question) => {
      questions.push(question);
      const offersRule = JSON.stringify(question.schema ?? {}).includes('always');
      return { action: 'accept', content: { answer: offersRule ? 'always' : 'once' } };
    };
    const run = (command: string): Promise<unknown> => home.say(order('bash', { command }), { ask });
    for (let round = 0; round < 3; round++) await run("cat 'a b' && cat a");
    expect(offers()).toEqual([['once'], ['once'], ['once', 'always']]);
    expect(questions[2]!.notes).toContain(
      `"Always" allows personal by a rule, whatever the other arguments: bash(cat 'a b'), bash(cat a)`,
    );
    await run('cat a');
    expect(questions).toHaveLength(3);
    expect(home.host.config.permissions.allow).toEqual([]);
    expect(home.host.config.permissions.agents.get('personal')?.allow.map(({ text }) => text)).toEqual([
      "bash(cat 'a b')",
      'bash(cat a)',
    ]);
    expect(readFileSync(join(home.home.path, 'pegboard.yaml'), 'utf8')).toContain('permissions');
    // Programs that run others, scripts by their path, dangerous and computed commands: never.
    for (const line of ['sh a', './a', 'cat $HOME', 'rm -rf a'])
      for (let round = 0; round < 3; round++) await run(line);
    expect(offers().slice(3).flat()).not.toContain('always');
  });

  test('reads what a person wants instead of the call', async () => {
    await using home = await openAgentHome(obeying);
    const ask: Ask = async () => ({ action: 'decline', instead: 'list the folder first' });
    await home.say(order('bash', { command: 'git push' }), { ask });
    const read = JSON.stringify(home.model.requests.at(-1)!.messages.at(-1));
    expect(read).toContain(
      'declined by the terminal. What to do instead, as they wrote: list the folder first',
    );
  });
});

test('the * of a rule stands for no file outside of the folders that file tools may use; one that is written does', async () => {
  await using elsewhere = await createHome({ 'notes.txt': 'x', 'deep/more.txt': 'y' });
  const at = elsewhere.path;
  const allow = JSON.stringify(
    ['cat *', 'git diff *', 'grep *', 'dd *', 'cd sub', `wc ${at}/deep/*`, `head ${at}/notes.txt`].map(
      (rule) => `bash(${rule})`,
    ),
  );
  await using home = await createHome({
    ...files,
    'sub/a.txt': 'a',
    'pegboard.yaml': `permissions: { allow: ${allow} }\n`,
  });
  symlinkSync(at, join(home.path, 'link'));
  await using rules = await openRules(home);
  const outcomes: { readonly [command: string]: string } = {
    'cat notes/a.md': 'ran',
    'cat sub/a.txt 2>/dev/null | grep /api/users': 'ran',
    'cd sub && cat a.txt': 'ran',
    'git diff --stat /dev/null notes/a.md': 'ran',
    [`wc ${at}/deep/more.txt`]: 'ran',
    [`head ${at}/notes.txt`]: 'ran',
    'cat *': 'asked',
    'cat /etc/passwd': 'asked',
    'cat link/notes.txt': 'asked',
    [`cat notes/a.md ${at}/notes.txt`]: 'asked',
    [`git diff --stat ${at}/notes.txt notes/a.md`]: 'asked',
    [`git diff --output=${at}/new.txt`]: 'asked',
    [`dd if=${at}/notes.txt`]: 'asked',
    [`grep -f${at}/notes.txt x`]: 'asked',
    [`wc ${at}/deep/../notes.txt`]: 'asked',
    'cd sub && cat ../../../../../../../etc/passwd': 'asked',
  };
  const found: { [command: string]: string } = {};
  for (const command of Object.keys(outcomes)) {
    const outcome = await rules.call('bash', { command });
    found[command] = outcome;
  }
  expect(found).toEqual(outcomes);
});

test('nor does it stand for a file that a rule denies to a tool for files, and no command is free to read it', async () => {
  await using home = await createHome({
    ...files,
    'spaces/work/agent/agent.yaml': 'id: work\n',
    'notes/code/key.pem': 'c',
    'pegboard.yaml': `permissions:
  allow: ["bash(cat *)", "bash(grep *)", "bash(tee notes/*)", "bash(head notes/private/b.md)"]
  deny: ["filesystem.*(notes/private/**)", "read(*.pem)", "write(notes/code/**)"]
plugins: { builtin-core: { config: { bash: { confirm: unknown } } } }
`,
  });
  symlinkSync(join(home.path, 'notes/private'), join(home.path, 'notes/alias'));
  const at = home.path;
  await home.write('pegboard.local.yaml', `permissions: { allow: ["bash(wc ${at}/notes/*)"] }\n`);
  await using rules = await openRules(home);
  const outcomes: { readonly [command: string]: string } = {
    'cat notes/a.md': 'ran',
    'grep private notes/a.md': 'ran',
    'head notes/private/b.md': 'ran',
    [`wc ${at}/notes/a.md`]: 'ran',
    'cat notes/private/b.md': 'asked',
    'cat notes/alias/b.md': 'asked',
    'grep -rh . notes/private': 'asked',
    'cat notes/code/key.pem': 'asked',
    'tee notes/code/new': 'asked',
    [`wc ${at}/notes/private/b.md`]: 'asked',
    'grep -fnotes/private/b.md notes/a.md': 'asked',
    'tail notes/private/b.md': 'asked',
    'tail notes/a.md': 'ran',
  };
  const found: { [command: string]: string } = {};
  for (const command of Object.keys(outcomes)) {
    const outcome = await rules.call('bash', { command });
    found[command] = outcome;
  }
  expect(found).toEqual(outcomes);
});
