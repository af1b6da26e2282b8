import { expect, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import { textOf } from '../../../host/tools/result.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';

const code = `export default { setup: ({ dispatch }) => ({ metaTools: [
  { name: 'twice', description: 'Runs a tool twice', parameters: { type: 'object', properties: { tool: { type: 'string' } }, required: ['tool'] },
    async execute({ tool }, call) {
      const run = async () => (await dispatch({ name: tool, args: {}, scope: call.scope, caller: call.caller, parent: call })).content.map(({ text }) => text).join('');
      return (await run()) + (await run());
    } },
  { name: 'hidden', description: 'Is not declared', parameters: { type: 'object' }, execute: () => '' },
] }) };\n`;

test('a plugin brings tools that run others: every agent has them, by its own rights, and no search lists them', async () => {
  await using home = await createHome({
    'plugins/again/plugin.yaml': 'id: again\nversion: "1.0.0"\ndescription: x\nmetaTools: [twice]\n',
    'plugins/again/index.ts': code,
    'pegboard.yaml': 'plugins: { again: { trusted: true } }\n',
    'spaces/my/agent/tools/tick.md': manifest('tick', 'command: printf tick\nreadOnly: true'),
    'spaces/my/agent/tools/tock.md': manifest('tock', 'command: printf tock\nreadOnly: true'),
  });
  await using host = await createHost({ home: home.path });
  const scope = { identity: 'agent', agent: 'my', access: { allowed: ['my.tick'] } } as const;
  const twice = async (tool: string): Promise<string> =>
    textOf(await host.dispatch({ name: 'meta.twice', args: { tool }, scope, caller: 'test' }));
  expect(await twice('my.tick')).toBe('ticktick');
  expect(await twice('my.tock')).not.toContain('tocktock');
  expect(host.registry.snapshot.find('twice')?.source).toMatchObject({ module: 'meta', kind: 'plugin' });
  expect(host.registry.snapshot.find('meta.hidden')).toBeUndefined();
  expect(host.diagnostics).toContainEqual(expect.objectContaining({ code: 'invalid-tool' }));
});
