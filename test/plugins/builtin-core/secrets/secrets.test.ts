import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TurnEvent } from '../../../../host/api/conversation.ts';
import { textOf } from '../../../../host/tools/result.ts';
import { openAgentHome } from '../../../kit/homes/agent-home.ts';
import { openPluginHome } from '../../../kit/homes/plugin-home.ts';
import { waitUntil } from '../../../kit/wait-until.ts';

const value = 'k3y-with "quotes" & ümlauts';

test('a secret is stored, listed by name, and deleted when a person agrees', async () => {
  await using home = await openPluginHome();
  const agree = { ask: () => Promise.resolve({ action: 'accept' } as const) };
  const unasked = await home.call('secret_store', { name: 'API_KEY', value });
  expect(unasked.error?.code).toBe('PEG_NOBODY_TO_ASK');
  const stored = await home.call('secret_store', { name: 'API_KEY', value }, agree);
  expect(JSON.stringify(stored)).not.toContain('k3y');
  const listed = await home.call('secret_list');
  expect(textOf(listed)).toContain('API_KEY');
  expect(JSON.stringify(listed)).not.toContain('k3y');
  expect(readFileSync(home.path('data/secrets/secrets.json'), 'utf8')).toContain('API_KEY');
  expect((await home.call('secret_delete', { name: 'API_KEY' })).error?.code).toBe('PEG_NOBODY_TO_ASK');
  expect(textOf(await home.call('secret_delete', { name: 'API_KEY' }, agree))).toBe('API_KEY is deleted.');
  expect((await home.call('secret_delete', { name: 'API_KEY' }, agree)).error?.message).toContain(
    'There are none',
  );
});

test('replacing one asks first, and neither question nor refusal shows the value', async () => {
  await using home = await openPluginHome();
  const first = { name: 'API_KEY', value: 'the-old-one' };
  await home.call('secret_store', first, { ask: () => Promise.resolve({ action: 'accept' }) });
  const shown: unknown[] = [];
  const result = await home.call(
    'secret_store',
    { name: 'API_KEY', value },
    {
      ask: async (question) => {
        shown.push(question);
        return { action: 'decline' };
      },
    },
  );
  expect(result.error?.code).toBe('PEG_DECLINED');
  expect(shown).toHaveLength(1);
  expect(JSON.stringify([shown, result])).not.toMatch(/k3y|the-old-one/);
});

test('a name that no variable can have, and an empty value, are refused', async () => {
  await using home = await openPluginHome();
  for (const args of [
    { name: 'with space', value },
    { name: 'A', value: '' },
  ])
    expect((await home.call('secret_store', args)).error?.code).toBe('PEG_INVALID_ARGUMENTS');
});

test('a model that stores one leaves it in no recorded call, event or file, whichever way it calls', async () => {
  const canary = (way: string): string => `canary/${way}+Zq7 x`;
  const ways = ['direct', 'execute', 'parallel', 'background', 'nested', 'late', 'short'];
  const store = (way: string) => ({
    name: `KEY_${way.toUpperCase()}`,
    value: way === 'short' ? 'p1n' : canary(way),
  });
  const calls = [
    { name: 'secret_store', arguments: store('direct') },
    { name: 'execute_tool', arguments: { name: 'secret_store', params: store('execute') } },
    { name: 'run_parallel', arguments: { calls: [{ tool: 'secret_store', params: store('parallel') }] } },
    {
      name: 'background_run',
      arguments: { mode: 'start', tool: 'core.secret_store', params: store('background') },
    },
    {
      name: 'run_parallel',
      arguments: {
        calls: [{ tool: 'execute_tool', params: { name: 'secret_store', params: store('nested') } }],
      },
    },
    {
      name: 'background_run',
      arguments: {
        mode: 'start',
        tool: 'execute_tool',
        params: { name: 'core.secret_store', params: store('late') },
      },
    },
    { name: 'secret_store', arguments: store('short') },
  ];
  await using home = await openAgentHome([{ toolCalls: calls }, { text: 'stored' }]);
  const events: TurnEvent[] = [];
  const reply = await home.say('Keep these', {
    onEvent: (event) => events.push(event),
    ask: () => Promise.resolve({ action: 'accept' }),
  });
  expect(reply.toolCalls.map(({ ok, result }) => [ok, result])).toEqual(
    ways.map(() => [true, expect.any(String)]),
  );
  await waitUntil(
    () => home.host.secrets.list(),
    ({ length }) => length >= ways.length,
  );
  for (const way of ways.slice(0, -1)) expect(home.host.secrets.get(store(way).name)).toBe(canary(way));

  const texts = [JSON.stringify(reply), JSON.stringify(events)];
  const started = events.filter(({ type }) => type === 'tool_start');
  expect(started).toHaveLength(ways.length);
  for (const event of started) expect(JSON.stringify(event)).toContain('"value":"[secret]"');
  const files = readdirSync(home.home.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('data/secrets'))
    .map((entry) => join(entry.parentPath, entry.name));
  expect(files.some((file) => file.includes('pegboard.db'))).toBe(true);
  for (const file of files) texts.push(readFileSync(file, 'latin1'));
  for (const way of ways.slice(0, -1)) {
    const bytes = Buffer.from(canary(way));
    const forms = [
      canary(way),
      bytes.toString('base64').slice(0, -4),
      bytes.toString('hex'),
      encodeURIComponent(canary(way)),
    ];
    for (const form of forms)
      expect(
        texts.filter((text) => text.includes(form)),
        `${way}: ${form}`,
      ).toEqual([]);
  }
  expect(
    reply.toolCalls.map(({ args }) => args),
    'also what is too short to be found elsewhere',
  ).toContainEqual({ name: 'KEY_SHORT', value: '[secret]' });
});

test('what a model got wrong about a call shows no secret either', async () => {
  const broken = `{"name": "API_KEY", "value": "canary-9 \\"quoted" and on`;
  const calls = [
    { name: 'secret_store', arguments: broken },
    { name: 'run_parallel', arguments: broken },
    { name: 'execute_tool', arguments: { name: 'secret_store', params: broken } },
    { name: 'background_run', arguments: { mode: 'start', tool: 'secret_store', params: broken } },
    { name: 'run_parallel', arguments: { calls: broken } },
    { name: 'secret_store', arguments: { name: 'API_KEY', value: { text: 'canary-9' } } },
    {
      name: 'watch_start',
      arguments: { files: '*.md', run_tool: 'secret_store', run_args: { name: 'A', value: 'canary-9' } },
    },
  ];
  await using home = await openAgentHome([{ toolCalls: calls }, { text: 'That failed' }]);
  const events: TurnEvent[] = [];
  const reply = await home.say('Keep these', { onEvent: (event) => events.push(event) });
  expect(reply.toolCalls.map(({ ok, tool }) => [tool, ok])).toHaveLength(calls.length);
  expect(reply.toolCalls.filter(({ ok }) => ok)).toEqual([]);
  expect(JSON.stringify([events, reply])).not.toContain('canary-9');
  expect(home.host.secrets.list()).toEqual([]);
});
