import { expect, test } from 'vitest';
import { agentSchema, toolSchema } from '../../../../host/core/documents/file-schemas.ts';
import { offersAt } from '../../../../plugins/builtin-page/page/editor/complete.ts';

const tool = (before: string): readonly string[] =>
  offersAt(before, toolSchema, true)?.offers.map(({ label }) => label) ?? [];
const agent = (before: string): readonly string[] =>
  offersAt(before, agentSchema, false)?.offers.map(({ label }) => label) ?? [];

test('offers the keys that may stand there, without those that are there', () => {
  expect(tool('---\n')).toEqual(expect.arrayContaining(['id', 'command', 'parameters']));
  expect(tool('---\nid: a\nname: b\nco')).not.toContain('id');
  expect(offersAt('---\nid: a\nco', toolSchema, true)?.from).toBe('---\nid: a\n'.length);
  expect(tool('---\nparameters:\n  - ')).toEqual(expect.arrayContaining(['name', 'type', 'enum']));
  expect(tool('---\nparameters:\n- name: a\n  ')).toEqual(expect.arrayContaining(['type', 'enum']));
  expect(tool('---\nparameters:\n- name: a\n  ')).not.toContain('name');
  expect(tool('---\nparameters:\n  - name: a\n    type: string\n  - ')).toContain('name');
  expect(tool('---\nparameters:\n  - name: a\n    type: string\n')).toContain('command');
  expect(agent('brain:\n  ')).toEqual(expect.arrayContaining(['model', 'fallback']));
  expect(agent('tools:\n  modules:\n    web:\n      ')).toContain('constraints');
  expect(agent('brain:\n  model: x\nrole: worker\nruntime:\n  m')).toContain('max_rounds');
});

test('offers the values of a key', () => {
  expect(tool('---\nparameters:\n  - name: a\n    type: ')).toEqual(
    expect.arrayContaining(['string', 'integer', 'boolean']),
  );
  expect(tool('---\nconfirm: ')).toEqual(['true', 'false']);
  expect(agent('role: ')).toEqual(expect.arrayContaining(['assistant', 'worker', 'coordinator']));
});

test('offers nothing where no key can stand', () => {
  for (const before of [
    '',
    'id',
    '---\nid: a\n---\n',
    '---\nid: a\n---\n\nco',
    '---\ndescription: some text he',
  ])
    expect(tool(before)).toEqual([]);
  expect(tool('---\nunknown:\n  ')).toEqual([]);
  expect(tool('---\n__proto__:\n  ')).toEqual([]);
});
