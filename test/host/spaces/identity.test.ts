import { expect, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import { createHome } from '../../kit/homes/home.ts';

test('SOUL.md, IDENTITY.md and USER.md belong to their space; only whom one talks with is the same everywhere', async () => {
  await using home = await createHome({
    'spaces/personal/agent/SOUL.md': 'Warm.\n',
    'spaces/personal/agent/IDENTITY.md': '# Peg\n',
    'spaces/personal/agent/USER.md': 'Ada, Berlin.\n',
    'spaces/work/agent/IDENTITY.md': 'The clerk.\n',
    'spaces/other/agent/USER.md': 'Grace.\n',
  });
  await using host = await createHost({ home: home.path });
  const { spaces } = host;
  expect(spaces.identityOf(spaces.agentFor())).toEqual({
    soul: 'Warm.',
    identity: '# Peg',
    user: 'Ada, Berlin.',
  });
  expect(spaces.identityOf(spaces.agentFor('work'))).toEqual({
    identity: 'The clerk.',
    user: 'Ada, Berlin.',
  });
  expect(spaces.identityOf(spaces.agentFor('other'))).toEqual({ user: 'Grace.' });
});

test('an identity is the same object until one of its files changes, and what goes is gone', async () => {
  await using home = await createHome({ 'spaces/personal/agent/SOUL.md': 'Warm.' });
  await using host = await createHost({ home: home.path });
  const { spaces } = host;
  const now = () => spaces.identityOf(spaces.agentFor());
  const before = now();
  await spaces.changed([await home.write('spaces/personal/agent/agent.yaml', 'name: Me\n')]);
  expect(now()).toBe(before);
  await spaces.changed([await home.write('spaces/personal/agent/SOUL.md', 'Cool.')]);
  expect(now()).toEqual({ soul: 'Cool.' });
  await spaces.changed([await home.write('spaces/personal/agent/SOUL.md', '')]);
  expect(now()).toEqual({});
});

test('a file that is too long is cut at a line, and a diagnostic says where', async () => {
  const lines = Array.from({ length: 500 }, (_, at) => `line ${at} of what I am like`);
  await using home = await createHome({ 'spaces/personal/agent/SOUL.md': `\n${lines.join('\n')}\n` });
  await using host = await createHost({ home: home.path });
  const { soul = '' } = host.spaces.identityOf(host.spaces.agentFor());
  expect(soul.length).toBeGreaterThan(7_900);
  expect(soul.length).toBeLessThanOrEqual(8_000);
  expect(lines).toContain(soul.split('\n').at(-1));
  expect(host.spaces.diagnostics).toMatchObject([
    { code: 'identity-too-long', severity: 'warning', line: soul.split('\n').length + 1 },
  ]);
});

test('a file that nobody can read keeps its last good version in service', async () => {
  await using home = await createHome({ 'spaces/personal/agent/SOUL.md': 'Warm.' });
  await using host = await createHost({ home: home.path });
  const path = await home.write('spaces/personal/agent/SOUL.md', Buffer.from([0x48, 0x00, 0x69, 0x00]));
  await host.spaces.changed([path]);
  expect(host.spaces.identityOf(host.spaces.agentFor())).toEqual({ soul: 'Warm.' });
  expect(host.spaces.diagnostics).toMatchObject([{ severity: 'error', path }]);
});
