import { expect, test } from 'vitest';
import type { Snapshot } from '../../../host/api/source.ts';
import { silentLogger } from '../../../host/core/log.ts';
import { formsOf, maxWireNameLength, toHashedWireName } from '../../../host/tools/names.ts';
import { createRegistry } from '../../../host/tools/registry.ts';
import { echoTool, memorySource } from '../../kit/source.ts';

async function snapshotOf(modules: { readonly [module: string]: readonly string[] }): Promise<Snapshot> {
  const registry = createRegistry(silentLogger);
  for (const [module, names] of Object.entries(modules)) {
    const tools = names.map((name) => echoTool({ name }));
    await registry.add(memorySource(tools, { module, kind: 'mcp' }));
  }
  return registry.snapshot;
}

const awkward = [
  'plain',
  'with-dash_and_underscore',
  'dotted.name',
  'slashed/name',
  'spaced name',
  'colon:name',
  'trailing.',
  '.leading',
  '...',
  'double__underscore',
  'Überprüfung',
  'überprüfung',
  '天气',
  '天気',
  '🌦️',
  'e\u0301',
  '\u00e9',
  'a'.repeat(64),
  'a'.repeat(65),
  `${'a'.repeat(200)}.b`,
  `${'a'.repeat(200)}/b`,
];

test('every name goes out as what model APIs and MCP clients accept, and comes back as its own tool', async () => {
  const snapshot = await snapshotOf({ srv: awkward });
  expect(snapshot.tools.size).toBe(awkward.length);
  for (const tool of snapshot.tools.values()) {
    expect(tool.wireName).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(`mcp__pegboard__${tool.wireName}`.length).toBeLessThanOrEqual(64);
    for (const form of formsOf(tool)) expect(snapshot.find(form)?.id, form).toBe(tool.id);
    expect(snapshot.find(tool.name)?.id).toBe(tool.id);
  }
});

test.for([
  'functions.listdir',
  'functions.filesystem.listdir',
  'Filesystem.Listdir',
  'filesystem/listdir',
  'filesystem:listdir',
  'FILESYSTEM__LISTDIR',
  'tools.filesystem__listdir',
  'default_api.listdir',
  'functions/mcp__filesystem__listdir',
  ' listdir ',
])('%s is understood as filesystem.listdir', async (written) => {
  const snapshot = await snapshotOf({ filesystem: ['listdir'], other: ['read'] });
  expect(snapshot.find(written)?.id).toBe('filesystem.listdir');
});

test.for([
  'with space',
  'With Space',
  'srv.with space',
  'srv/with_space',
  'functions.with_space',
  'srv__with space',
])('a tool with a space in its name is called by %s', async (written) => {
  const snapshot = await snapshotOf({ srv: ['with space'] });
  expect(snapshot.find(written)?.id).toBe('srv.with space');
});

test('a name that is not written exactly and may be several is nobody’s, one written exactly stays its own', async () => {
  const snapshot = await snapshotOf({ srv: ['a b', 'a-b', 'Read', 'read'], functions: ['read'] });
  expect(snapshot.find('A_B')).toBeUndefined();
  expect(snapshot.find('a b')?.id).toBe('srv.a b');
  expect(snapshot.find('srv.Read')?.id).toBe('srv.Read');
  expect(snapshot.find('srv/READ')).toBeUndefined();
  expect(snapshot.find('functions.read')?.id).toBe('functions.read');
});

test('names that become the same when they are cleaned stay two', async () => {
  const alike = ['a.b', 'a/b', 'a b', 'a:b', 'a_b', 'a..b'];
  const snapshot = await snapshotOf({ srv: alike });
  const wireNames = [...snapshot.tools.values()].map(({ wireName }) => wireName);
  expect(new Set(wireNames).size).toBe(alike.length);
  expect(wireNames).toContain('srv__a_b');
});

test('a name says the same in every snapshot, whatever else is registered', async () => {
  const alone = await snapshotOf({ srv: ['a.b'] });
  const among = await snapshotOf({ other: ['x.y', 'a.b'], srv: ['a b', 'a.b'] });
  expect(among.tools.get('srv.a.b')?.wireName).toBe(alone.tools.get('srv.a.b')?.wireName);
});

test('a server can not take another tool over by naming its own as the other goes', async () => {
  const victim = `x${'y'.repeat(maxWireNameLength)}`;
  const hashed = toHashedWireName(`github__${victim}`);
  const snapshot = await snapshotOf({
    // Registered first, with bare names that equal the other's wire names.
    evil: ['github__create_issue', hashed],
    github: ['create_issue', victim],
  });
  for (const name of ['create_issue', victim]) {
    const tool = snapshot.tools.get(`github.${name}`)!;
    expect(snapshot.find(tool.wireName)?.id).toBe(tool.id);
  }
});

test('two tools never share a wire name, even where one is called what the other was hashed to', async () => {
  // "a__b__c" is both a's "b__c" and a__b's "c"; the second one gets a hash of its id, which is also the name of a
  // third.
  const yielded = toHashedWireName('a__b.c');
  const taken = yielded.slice('a__'.length);
  expect(yielded.startsWith('a__b_c_')).toBe(true);
  const snapshot = await snapshotOf({ a: ['b__c', taken], a__b: ['c'] });
  const tools = [...snapshot.tools.values()];
  expect(new Set(tools.map(({ wireName }) => wireName)).size).toBe(3);
  for (const tool of tools) expect(snapshot.find(tool.wireName)?.id).toBe(tool.id);
});
