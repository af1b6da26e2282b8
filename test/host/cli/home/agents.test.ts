import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';

interface Listed {
  readonly agents: readonly {
    readonly id: string;
    readonly isDefault: boolean;
    readonly tools: number;
    readonly file: string | null;
  }[];
}

const reviewer = `# Reads, and nothing else.
id: reviewer
name: Reviewer # for people
tools:
  modules:
    filesystem: { constraints: { allowed_actions: [read] } }
`;

const defaultOf = async (home: string): Promise<string | undefined> =>
  (await pegboardJson<Listed>(['agents'], { home })).agents.find(({ isDefault }) => isDefault)?.id;

/** The tools that are used where no agent is named, as the agent's model gets them. */
const toolsOfTurn = async (home: string): Promise<readonly string[]> => {
  const args = ['inject', '--mode', 'direct'];
  return (await pegboardJson<{ tools: readonly { name: string }[] }>(args, { home })).tools.map(
    ({ name }) => name,
  );
};

test.each([[{}], [{ 'spaces/personal/space.manifest.json': '{ "id": "personal" }' }]])(
  'the default agent of a home with %j stays it when others are made',
  async (files) => {
    await using home = await createHome(files);
    expect(await defaultOf(home.path)).toBe('personal');
    const before = await toolsOfTurn(home.path);
    await pegboard(['new', 'agent', 'reviewer'], { home: home.path });
    await pegboard(['new', 'agent', 'personal'], { home: home.path });
    expect(await defaultOf(home.path)).toBe('personal');
    expect(await toolsOfTurn(home.path)).toEqual(before);
    for (const name of ['reviewer', 'personal']) {
      await pegboard(['agents', 'default', name], { home: home.path });
      expect(await defaultOf(home.path)).toMatch(name);
    }
  },
);

test("another agent doesn't free the default one from the hooks of a space", async () => {
  await using home = await createHome({
    'spaces/work/space.manifest.json': '{ "id": "work" }',
    'spaces/work/agent/agent.yaml':
      'name: Work\nhooks:\n  pre_tool:\n    - command: "echo not today >&2; exit 2"\n',
    'spaces/work/agent/tools/today.yaml':
      'id: today\nname: Today\ndescription: Says the date\ncommand: date\n',
  });
  const call = ['call', 'work.today', '--agent', 'personal'];
  for (const made of ['reviewer', 'helper']) {
    const { code, stderr } = await pegboard(call, { home: home.path });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('not today') as string });
    await pegboard(['new', 'agent', made], { home: home.path });
  }
});

test('another agent becomes the default, its file keeps its comments, and back again', async () => {
  await using home = await createHome({
    'spaces/personal/agents/reviewer.yaml': reviewer,
    'spaces/work/agents/other.yaml': 'default: true # for now\nname: Other\n',
  });
  expect(await defaultOf(home.path)).toBe('work/other');
  const chosen = await pegboard(['agents', 'default', 'reviewer'], { home: home.path });
  expect(chosen).toMatchObject({ code: 0, stdout: expect.stringContaining('personal/reviewer') as string });
  expect(await defaultOf(home.path)).toBe('personal/reviewer');
  expect(await toolsOfTurn(home.path)).not.toContain('write');
  const written = await readFile(join(home.path, 'spaces/personal/agents/reviewer.yaml'), 'utf8');
  expect(written).toBe(
    reviewer
      .replace('people\n', 'people\ndefault: true\n')
      .replace(
        'filesystem: { constraints: { allowed_actions: [read] } }',
        'filesystem: { constraints: { allowed_actions: [ read ] } }',
      ),
  );
  expect(await readFile(join(home.path, 'spaces/work/agents/other.yaml'), 'utf8')).toBe('name: Other\n');
  await pegboard(['agents', 'default', 'personal'], { home: home.path });
  expect(await defaultOf(home.path)).toBe('personal');
  expect(await toolsOfTurn(home.path)).toContain('write');
  expect(await readFile(join(home.path, 'spaces/personal/agents/reviewer.yaml'), 'utf8')).not.toContain(
    'default',
  );
});

test('the agent of a home without spaces can be named, and needs no file', async () => {
  await using home = await createHome();
  const chosen = await pegboard(['agents', 'default', 'personal'], { home: home.path });
  expect(chosen).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^personal is the default/) as string,
  });
  expect(chosen.stdout).not.toContain('changed:');
  expect(await pegboard(['inject', '--agent', 'personal'], { home: home.path })).toMatchObject({ code: 0 });
});

test('two defaults are an error that names both files', async () => {
  await using home = await createHome({
    'spaces/alpha/agents/one.yaml': 'default: true\n',
    'spaces/personal/agents/two.yaml': 'name: Two\ndefault: true\n',
  });
  expect(await defaultOf(home.path)).toBe('personal/two');
  const { code, stdout } = await pegboard(['lint'], { home: home.path });
  expect(code).toBe(1);
  expect(stdout).toContain('spaces/alpha/agents/one.yaml:1:10  two-defaults');
  expect(stdout).toContain('spaces/personal/agents/two.yaml');
});

test('while the file of the default agent is broken, no other one answers', async () => {
  await using home = await createHome({
    'spaces/personal/agents/careful.yaml': 'default: true\ntools: [nothing]\n',
  });
  const { code, stderr } = await pegboard(['inject'], { home: home.path });
  expect(code).toBe(2);
  expect(stderr).toContain('The default agent is not in service');
  expect(stderr).toContain('spaces/personal/agents/careful.yaml:2:8');
  await pegboard(['agents', 'default', 'personal'], { home: home.path });
  expect(await defaultOf(home.path)).toBe('personal');
});

test('an unknown agent is refused with similar names, and nothing changes', async () => {
  await using home = await createHome({ 'spaces/personal/agents/reviewer.yaml': reviewer });
  const { code, stderr } = await pegboard(['agents', 'default', 'reviever'], { home: home.path });
  expect(code).toBe(2);
  expect(stderr).toContain('Did you mean "personal/reviewer"?');
  expect(await defaultOf(home.path)).toBe('personal');
});

test('what is broken is left as it is, and the place of the mistake is named', async () => {
  await using home = await createHome({
    'pegboard.yaml': 'mcpServers: [a\nfoo: "b\n',
    'spaces/personal/agents/reviewer.yaml': reviewer,
  });
  const added = await pegboard(['mcp', 'add', 'x', '--', 'true'], { home: home.path });
  expect(added.code).not.toBe(0);
  expect(added.stderr).toMatch(
    /pegboard\.yaml was left as it is, because it can't be parsed: line \d, column \d: /,
  );
  await home.write('pegboard.yaml', '{}');
  const given = await pegboard(['call', 'read', '--args', '{"path": 1,}'], { home: home.path });
  expect(given.stderr).toContain('The value of --args is not JSON: line 1, column 12: ');
});
