import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { configFor } from '../../../kit/homes/agent-home.ts';
import { pegboard, type CliOptions } from '../../../kit/cli.ts';
import { createUnusedHome, manifest, type TestHome } from '../../../kit/homes/home.ts';
import { findReader, makeReadOnly } from '../../../kit/homes/read-only.ts';

const reader = findReader();
let home: TestHome;
let readOnly: Disposable;
let options: CliOptions;
beforeAll(async () => {
  home = await createUnusedHome({
    'pegboard.yaml': configFor({ baseUrl: 'http://127.0.0.1:9/v1' }),
    'spaces/s/space.manifest.json': JSON.stringify({ id: 's', name: 's', description: 's', tools: [] }),
    'spaces/s/agent/tools/hi.md': manifest('hi', 'command: echo hi'),
  });
  const add = ['schedule', 'add', 'in 5 hours', 'Bread', '--message'];
  expect((await pegboard(add, { home: home.path })).code).toBe(0);
  const store = ['call', 'memory_store', 'content=Anna likes tea', '--yes'];
  expect((await pegboard(store, { home: home.path })).code).toBe(0);
  readOnly = makeReadOnly(home.path);
  const ownState = { XDG_STATE_HOME: join(home.path, 'nowhere'), PEGBOARD_TRUST_HOME: home.path };
  options = { home: home.path, env: { HOME: tmpdir(), ...ownState }, reader };
});
afterAll(async () => {
  readOnly[Symbol.dispose]();
  await home[Symbol.asyncDispose]();
});
beforeEach(({ skip }) => skip(reader.impossible !== undefined, reader.impossible));

const reading: readonly (readonly [command: string, shows: RegExp])[] = [
  ['tools', /s\.hi/],
  ['search hi', /s\.hi/],
  ['show hi', /hi\.md/],
  ['call hi', /^hi$/m],
  ['status', /builtin/],
  ['usage', /No model was used/],
  ['schedule list', /Bread/],
  ['schedule runs', /Nothing has run/],
  ['memory list', /Anna likes tea/],
  ['secret list', /no secrets/],
  ['plugins', /builtin-core/],
  ['lint', /No problems found/],
  ['inject', /agent/],
];

test.each(reading)('a home that may not be written is read: %s', async (command, shows) => {
  const { code, stdout, stderr } = await pegboard(command.split(' '), options);
  expect(code, stderr).toBe(0);
  expect(stdout + stderr).toMatch(shows);
  expect(stderr).not.toMatch(/error|warning/);
});

const writing: readonly (readonly [command: string, names: RegExp])[] = [
  ['start', /data\/host\.lock/],
  ['chat hello', /pegboard\.db/],
  ['secret set TOKEN', /data\/secrets/],
  ['schedule add 5m Tea', /pegboard\.db/],
  ['schedule cancel 1', /pegboard\.db/],
  ['memory forget 1', /pegboard\.db/],
  ['plugins reload builtin-core', /state\.json/],
  ['plugins disable builtin-web', /home/],
  ['mcp add echo -- node', /home/],
  ['new space other', /spaces/],
  ['backup', /data\/backups/],
  ['call memory_store content=x --yes', /pegboard\.db/],
];

test.each(writing)('and what would write says that it may not: %s', async (command, names) => {
  const { code, stderr } = await pegboard(command.split(' '), { ...options, input: 'value' });
  expect(code).toBe(1);
  expect(stderr.replaceAll(home.path, 'home')).toMatch(names);
  expect(stderr).toMatch(/check its permissions/);
  expect(stderr).not.toContain('bug in Pegboard');
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
