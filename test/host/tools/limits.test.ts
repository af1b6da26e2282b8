import { expect, test } from 'vitest';
import type { ModuleBlock, ModuleConstraints } from '../../../host/api/agent.ts';
import type { Scope } from '../../../host/api/source.ts';
import { isConfined, limitsOf, moduleFor } from '../../../host/tools/limits.ts';

const block = (constraints: ModuleConstraints): ModuleBlock => ({
  config: {},
  setup: [],
  constraints,
  middleware: [],
  credential: undefined,
});
const agent = (id: string, modules?: { readonly [module: string]: ModuleConstraints }): Scope => ({
  identity: 'agent',
  agent: id,
  access: {},
  ...(modules && {
    modules: new Map(Object.entries(modules).map(([name, constraints]) => [name, block(constraints)])),
  }),
});
const handedOver = (from: Scope, to: Scope): Scope => ({ ...to, within: limitsOf(from) });

test("a module's constraints add up, and are refused where they contradict each other", () => {
  const reader = agent('reader', { files: { read_only: true, depth: 2, allowed_actions: ['read'] } });
  const both = handedOver(reader, agent('b', { files: { depth: 2, width: 3 } }));
  expect(moduleFor(both, 'files')?.constraints).toEqual({ read_only: true, depth: 2, width: 3 });
  expect(moduleFor(handedOver(reader, agent('b')), 'files')?.constraints).toEqual({
    read_only: true,
    depth: 2,
  });
  expect(moduleFor(handedOver(reader, agent('b')), 'constructor')).toBeUndefined();
  expect(() => moduleFor(handedOver(reader, agent('b', { files: { depth: 3 } })), 'files')).toThrow(
    'reader has files with depth: 2, and b with depth: 3: handed over, neither holds. Do it without files.',
  );
});

test('limits survive storage, and add nothing where there are none', () => {
  const limits = limitsOf(handedOver(agent('a', { files: { read_only: true } }), agent('b')));
  expect(JSON.parse(JSON.stringify(limits))).toEqual(limits);
  expect(limits.map((one) => one.agent)).toEqual(['a', 'b']);
  expect(limitsOf({ identity: 'host', access: {} })).toEqual([]);
  expect(limitsOf({ identity: 'agent', access: {} })).toEqual([]);
  expect(isConfined(handedOver(agent('a'), agent('b')))).toBe(false);
  expect(isConfined(handedOver(agent('a', {}), agent('b')))).toBe(true);
});
