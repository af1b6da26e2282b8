import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Agent } from '../../../../host/api/agent.ts';
import type { PluginHome } from '../../../kit/homes/plugin-home.ts';
import { agentScope, openPluginHome, temporaryFolder } from '../../../kit/homes/plugin-home.ts';
import { textOf } from '../../../../host/tools/result.ts';

/** A home whose space "work" the agent acts in. */
async function openSpace(files: { readonly [path: string]: string } = {}): Promise<PluginHome> {
  let folder = '';
  const home = await openPluginHome({
    files: { 'spaces/work/agent/SOUL.md': 'soul', 'secret.txt': 'outside', ...files },
    services: {
      agents: {
        agentFor: () => ({ space: 'work', folder }) as Agent,
        scopeFor: () => agentScope,
        changeIdentity: async () => {},
      },
    },
  });
  folder = home.path('spaces/work');
  return home;
}

test('the six workspace tools write, read, edit, find, search and delete in the folder of the space', async () => {
  await using home = await openSpace();
  const text = async (name: string, args: object): Promise<string> => textOf(await home.call(name, args));
  await text('WsWrite', { path: 'notes/a.md', content: 'one\ntwo\n' });
  expect(readFileSync(home.path('spaces/work/workspace/notes/a.md'), 'utf8')).toBe('one\ntwo\n');
  expect(await text('WsRead', { path: 'notes/a.md' })).toBe('one\ntwo\n');
  await text('WsEdit', { path: 'notes/a.md', old_string: 'two', new_string: 'three' });
  expect(await text('WsGlob', { pattern: '**/*.md' })).toBe('notes/a.md');
  expect(await text('WsGrep', { pattern: 'thr' })).toBe('notes/a.md:2:three');
  expect((await home.call('WsDelete', { path: 'notes' })).error?.message).toContain('ENOTEMPTY');
  await text('WsDelete', { path: 'notes/a.md' });
  await text('WsDelete', { path: 'notes' });
  expect(existsSync(home.path('spaces/work/workspace/notes'))).toBe(false);
});

test('nothing leads out of it: no parent, no absolute path, no link', async () => {
  await using home = await openSpace();
  mkdirSync(home.path('spaces/work/workspace'));
  symlinkSync('../../..', home.path('spaces/work/workspace/up'));
  for (const path of ['../agent/SOUL.md', home.path('secret.txt'), 'up/secret.txt', 'a/../../agent/SOUL.md'])
    for (const [tool, more] of [
      ['WsRead', {}],
      ['WsWrite', { content: 'x' }],
      ['WsDelete', {}],
      ['WsGrep', { pattern: 'o' }],
    ] as const)
      expect((await home.call(tool, { path, ...more })).error?.message, `${tool} ${path}`).toContain(
        'outside',
      );
  expect((await home.call('WsDelete', { path: '.' })).error?.message).toContain('itself stays');
  expect(readFileSync(home.path('secret.txt'), 'utf8')).toBe('outside');
});

test('a workspace that is a link out of the home is no workspace', async () => {
  await using home = await openSpace();
  const elsewhere = temporaryFolder({ 'x.txt': 'x' });
  symlinkSync(elsewhere, home.path('spaces/work/workspace'));
  expect((await home.call('WsRead', { path: 'x.txt' })).error?.message).toContain('is a symbolic link');
  expect(existsSync(join(elsewhere, 'x.txt'))).toBe(true);
});

test('a folder with all that is in it goes only when a person agrees', async () => {
  await using home = await openSpace({ 'spaces/work/workspace/d/x.txt': 'x' });
  const remove = { path: 'd', recursive: true };
  expect((await home.call('WsDelete', remove)).error?.code).toBe('PEG_NOBODY_TO_ASK');
  await home.call('WsDelete', remove, { ask: async () => ({ action: 'accept' }) });
  expect(existsSync(home.path('spaces/work/workspace/d'))).toBe(false);
});

test('a file that was not read is not overwritten', async () => {
  await using home = await openSpace({ 'spaces/work/workspace/x.txt': 'old' });
  expect((await home.call('WsWrite', { path: 'x.txt', content: 'new' })).error?.message).toContain(
    'not been read',
  );
});
