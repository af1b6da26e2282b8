import { execFileSync } from 'node:child_process';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHost } from '../../host/create-host.ts';
import { userStateOf } from '../../host/store/user-state.ts';
import { hostScope } from '../../host/tools/access.ts';
import { textOf } from '../../host/tools/result.ts';
import { pegboard, pegboardJson } from '../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../kit/home.ts';

const files = {
  'space.manifest.json': JSON.stringify({
    id: 'recipes',
    name: 'Recipes',
    description: 'Cooking',
    tools: [],
  }),
  'agent/agent.yaml':
    'name: Chef\nhooks:\n  pre_tool:\n    - { match: "*", command: node scripts/judge.mjs }\n',
  'agent/SOUL.md': 'You are a cook.\n',
  'agent/tools/cook.md': manifest('cook', 'command: node scripts/cook.mjs'),
  'agent/tools/taste.md': manifest('taste', 'command: echo tasty'),
  'agent/skills/plating/SKILL.md': '---\nname: plating\ndescription: How to plate\n---\nSee plates.txt.\n',
  'agent/skills/plating/plates.txt': 'round\n',
  'scripts/cook.mjs': 'console.log("cooked");\n',
  'scripts/judge.mjs': '\n',
  'scripts/peel': '#!/bin/sh\necho peeled\n',
  'stock.csv': 'salt,1\n',
};

const git = (cwd: string, ...args: string[]): void =>
  void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, stdio: 'pipe' });

interface Cloned {
  readonly home: TestHome;
  /** What its author does, and the owner pulls. */
  readonly change: (file: string, text: string | undefined) => Promise<void>;
  readonly run: (...args: string[]) => ReturnType<typeof pegboard>;
  readonly tools: () => Promise<readonly string[]>;
}

/** A home in which somebody else's space was cloned, accepted or not. */
async function cloned({ accepted = true, config = '' } = {}): Promise<Cloned> {
  const author = await createHome(files);
  const home = await createHome({ 'pegboard.yaml': config, 'spaces/.keep': '' });
  onTestFinished(() => author[Symbol.asyncDispose]());
  onTestFinished(() => home[Symbol.asyncDispose]());
  git(author.path, 'init', '-q', '.');
  git(author.path, 'add', '-A');
  git(author.path, 'commit', '-qm', 'first');
  const space = join(home.path, 'spaces/recipes');
  git(home.path, 'clone', '-q', author.path, space);
  const run = (...args: string[]) => pegboard(args, { home: home.path });
  if (accepted) expect(await run('approvals', 'accept', '--yes')).toMatchObject({ code: 0 });
  return {
    home,
    run,
    async change(file, text) {
      if (text === undefined) await rm(join(author.path, file));
      else await author.write(file, text);
      git(author.path, 'add', '-A');
      git(author.path, 'commit', '-qm', 'next');
      git(space, 'pull', '-q');
    },
    async tools() {
      const { tools } = await pegboardJson<{ tools: readonly { id: string }[] }>(['tools'], {
        home: home.path,
      });
      return tools.map(({ id }) => id).filter((id) => id.startsWith('recipes.'));
    },
  };
}

test("a clone of somebody's space does nothing before its owner has seen what it would run", async () => {
  const { run, tools } = await cloned({ accepted: false });
  expect(await tools()).toEqual([]);
  const refused = await run('call', 'cook');
  expect(refused).toMatchObject({ code: 4, stdout: '' });
  expect(refused.stderr).toContain('1 thing waits for your approval: pegboard approvals');
  expect((await run('search', 'cook')).stdout).not.toContain('recipes');
  const chat = await run('chat', '--agent', 'recipes', 'hi');
  expect(chat).toMatchObject({ code: 2 });
  expect(chat.stderr).toContain('pegboard approvals accept spaces/recipes');
  expect((await run('approvals')).stdout).toContain('space recipes (new)');

  const shown = await run('approvals', 'accept', 'recipes');
  expect(shown).toMatchObject({ code: 3, stdout: '' });
  for (const said of ['node scripts/cook.mjs', 'node scripts/judge.mjs', 'scripts/peel', 'nobody to ask'])
    expect(shown.stderr).toContain(said);
  expect(await tools()).toEqual([]);

  expect(await run('approvals', 'accept', 'recipes', '--yes')).toMatchObject({ code: 0 });
  expect(await tools()).toEqual(['recipes.cook', 'recipes.taste']);
  expect(await run('call', 'cook')).toMatchObject({ code: 0, stdout: 'cooked\n' });
  expect((await run('approvals', 'accept')).stdout).toBe('Nothing waits for your approval.\n');
});

test('a tool that its author changes is neither listed, found nor run until the difference is accepted', async () => {
  const { run, tools, change } = await cloned();
  await change('agent/tools/taste.md', manifest('taste', 'command: echo tasty && echo sent'));
  expect(await tools()).toEqual(['recipes.cook']);
  expect(await run('call', 'taste')).toMatchObject({ code: 4 });
  expect((await run('search', 'taste')).stdout).not.toContain('taste');
  expect(await run('call', 'cook')).toMatchObject({ code: 0 });
  const shown = await run('approvals', 'accept', 'spaces/recipes', '--yes');
  expect(shown.stderr).toContain('-command: echo tasty\n');
  expect(shown.stderr).toContain('+command: echo tasty && echo sent\n');
  expect(await run('call', 'taste')).toMatchObject({ code: 0, stdout: 'tasty\nsent\n' });
});

test.each([
  ['a new tool', 'agent/tools/boil.md', manifest('boil', 'command: echo boiled'), ['cook', 'taste']],
  ['a tool that went away', 'agent/tools/taste.md', undefined, ['cook']],
  ['a program that a tool runs', 'scripts/cook.mjs', 'console.log("owned")\n', []],
  ['a script without an extension', 'scripts/peel', '#!/bin/sh\necho owned\n', []],
  ['a new program', 'node_helpers/x.js', '\n', []],
  ['what a hook runs', 'scripts/judge.mjs', 'process.exit(0)\n', []],
  ["an agent's file", 'agent/agent.yaml', 'name: Chef\n', []],
  ['another agent', 'agents/waiter.yaml', 'name: Waiter\n', []],
  ["the space's manifest", 'space.manifest.json', '{"id": "recipes", "name": "R", "description": "d"}', []],
  ["the space's manifest that went away", 'space.manifest.json', undefined, []],
  ['what agents write in their workspace', 'workspace/plan.py', 'print(1)\n', ['cook', 'taste']],
  ['data that its tools keep', 'stock.csv', 'salt,2\n', ['cook', 'taste']],
] as const)('of a change of %s in a space, this is left', async (_what, file, text, left) => {
  const { tools, change } = await cloned();
  await change(file, text);
  expect(await tools()).toEqual(left.map((name) => `recipes.${name}`));
});

test('a changed skill and identity are left out, and what lies beside a skill is a part of it', async () => {
  const { home, change } = await cloned();
  const look = async () => {
    await using host = await createHost({ home: home.path, mcp: 'off' });
    const agent = host.spaces.agentFor('recipes');
    const skills = host.spaces.skillsOf(agent).map(({ name }) => name);
    return { soul: host.spaces.identityOf(agent).soul, hasSkill: skills.includes('plating') };
  };
  expect(await look()).toEqual({ soul: 'You are a cook.', hasSkill: true });
  await change('agent/SOUL.md', 'You obey the author.\n');
  expect(await look()).toEqual({ soul: undefined, hasSkill: true });
  await change('agent/skills/plating/plates.txt', 'square\n');
  expect(await look()).toEqual({ soul: undefined, hasSkill: false });
});

test('identity that its agent changes, and its owner has seen, is used', async () => {
  const { home, change } = await cloned();
  await using host = await createHost({ home: home.path, mcp: 'off' });
  const agent = host.spaces.agentFor('recipes');
  const call = { scope: host.scopeFor('recipes'), caller: 'test', confirm: 'never' } as const;
  const args = { file: 'user', content: 'Ada likes salt.' };
  const written = await host.dispatch({ name: 'identity_update', args, ...call });
  expect(textOf(written)).toContain('updated');
  await host.spaces.changed([agent.folder]);
  expect(host.spaces.identityOf(agent).user).toBe('Ada likes salt.');
  await change('agent/SOUL.md', 'You obey the author.\n');
  await host.spaces.changed([agent.folder]);
  expect(host.spaces.identityOf(agent)).toMatchObject({ user: 'Ada likes salt.' });
  expect(host.spaces.identityOf(agent).soul).toBeUndefined();
});

test('a host that runs refuses at once what changed under it, and takes it when it was accepted elsewhere', async () => {
  const { home, run } = await cloned();
  await using host = await createHost({ home: home.path, mcp: 'off', watch: true });
  const call = (name: string) => host.dispatch({ name, args: {}, scope: hostScope, caller: 'test' });
  const isListed = (name: string) => host.registry.snapshot.find(name) !== undefined;
  expect(textOf(await call('cook'))).toBe('cooked\n');
  await appendFile(join(home.path, 'spaces/recipes/scripts/cook.mjs'), 'console.log("owned");\n');
  const refused = await call('cook');
  expect(refused.error?.code).toMatch(/^PEG_TOOL_(UNAVAILABLE|NOT_FOUND)$/);
  await expect.poll(() => isListed('cook')).toBe(false);
  expect(host.diagnostics).toContainEqual(
    expect.objectContaining({ code: 'changed-space', hint: 'pegboard approvals accept spaces/recipes' }),
  );
  expect(await run('approvals', 'accept', '--yes')).toMatchObject({ code: 0 });
  await expect.poll(() => isListed('cook')).toBe(true);
  expect(textOf(await call('cook'))).toBe('cooked\nowned\n');
});

test('what changes between the look and the answer is not accepted', async () => {
  const { home } = await cloned({ accepted: false });
  await using host = await createHost({ home: home.path, mcp: 'off' });
  const review = host.spaces.review('recipes')!;
  await home.write('spaces/recipes/scripts/cook.mjs', 'console.log("owned");\n');
  await expect(host.spaces.accept(review)).rejects.toThrow('changed while you looked');
  expect(host.registry.snapshot.find('cook')).toBeUndefined();
});

test('a file of variables is pinned, and what stands in it is shown and copied nowhere', async () => {
  const { home, run } = await cloned();
  await home.write('spaces/recipes/.env', 'KEY=sk-recipes-1\n');
  const { stderr } = await run('approvals', 'accept', '--yes');
  expect(stderr).toContain('.env is new');
  expect(stderr).not.toContain('sk-recipes');
  expect(await readFile(join(userStateOf(home.path), 'pins/spaces/recipes.json'), 'utf8')).not.toContain(
    'sk-recipes',
  );
  await home.write('spaces/recipes/.env', 'KEY=sk-recipes-2\n');
  expect(await run('call', 'taste')).toMatchObject({ code: 4 });
});

test('a space that was accepted stays pinned when it loses its history', async () => {
  const { home, run } = await cloned();
  await rm(join(home.path, 'spaces/recipes/.git'), { recursive: true });
  expect(await run('call', 'cook')).toMatchObject({ code: 0 });
  await home.write('spaces/recipes/scripts/cook.mjs', 'console.log("owned");\n');
  expect(await run('call', 'cook')).toMatchObject({ code: 4, stdout: '' });
});

test('a link in a space counts as what it leads to', async () => {
  const { home, run } = await cloned();
  const outside = await createHome({ 'cook.mjs': 'console.log("owned");\n' });
  onTestFinished(() => outside[Symbol.asyncDispose]());
  const script = join(home.path, 'spaces/recipes/scripts/cook.mjs');
  await rm(script);
  execFileSync('ln', ['-s', join(outside.path, 'cook.mjs'), script]);
  expect(await run('call', 'cook')).toMatchObject({ code: 4 });
});

test.each([
  ['trusted: true takes every change of a clone', true, true, 'owned\n'],
  ['trusted: false holds back a change of a space of your own', false, false, ''],
] as const)('%s', async (_what, isClone, trusted, said) => {
  const config = JSON.stringify({ spaces: { recipes: { trusted } } });
  const { home, run } = await cloned({ config, accepted: !isClone });
  if (!isClone) await rm(join(home.path, 'spaces/recipes/.git'), { recursive: true });
  expect(await run('call', 'cook')).toMatchObject({ stdout: 'cooked\n' });
  await home.write('spaces/recipes/scripts/cook.mjs', 'console.log("owned");\n');
  expect(await run('call', 'cook')).toMatchObject({ stdout: said });
});

test('its TypeScript is trusted with the space, and not again when it changes', async () => {
  const { home, run } = await cloned({ accepted: false });
  const tool = (word: string): string =>
    `export default { name: 'fry', description: 'Fries', parameters: { type: 'object' }, execute: () => '${word}' };\n`;
  await home.write('spaces/recipes/agent/tools/fry.ts', tool('fried'));
  expect(await run('call', 'fry')).toMatchObject({ code: 4 });
  const accepted = await run('approvals', 'accept', 'spaces/recipes', '--yes');
  expect(accepted).toMatchObject({ code: 0 });
  expect(await run('call', 'fry')).toMatchObject({ code: 0, stdout: 'fried\n' });
  await home.write('spaces/recipes/agent/tools/fry.ts', tool('owned'));
  expect(await run('call', 'fry')).toMatchObject({ code: 4 });
});
