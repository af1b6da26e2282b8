import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject, JsonSchema } from '../../../host/api/result.ts';
import { hostScope } from '../../../host/tools/access.ts';
import { openAgentHome, type AgentHome } from '../../kit/homes/agent-home.ts';
import { longestStall } from '../../kit/stalls.ts';
import { answersTo, calls } from '../../kit/structures/built-in-calls.ts';

const megabyte = 1024 * 1024;

let home: AgentHome;
beforeAll(async () => {
  home = await openAgentHome(() => ({ text: 'done' }), {
    files: {
      'spaces/work/agent/agent.yaml':
        'id: work\nrole: coordinator\nruntime: { watchers: true, scheduler: true }\n',
      'spaces/other/agent/agent.yaml': 'id: other\n',
      'notes/a.md': 'one\ntwo\n',
      'notes/short.txt': 'ab\n'.repeat(8 * megabyte),
    },
  });
});
afterAll(() => home[Symbol.asyncDispose]());

const call = (name: string, args: JsonObject): Promise<unknown> =>
  home.host.dispatch({
    name,
    args,
    scope: { ...hostScope, agent: 'work' },
    caller: 'cli',
    ask: async ({ schema }) => ({ action: 'accept', content: answersTo(schema) }),
  });

test('one line of a large file keeps nobody waiting', async () => {
  const read = (): Promise<unknown> => call('read', { path: 'notes/short.txt', limit: 1 });
  expect(await longestStall(read)).toBeLessThan(1);
  expect(await read()).toMatchObject({ structured: { content: 'ab\n', totalLines: 8 * megabyte } });
});

test.each(Object.keys(calls))('the longest texts that %s takes keep nobody waiting', async (tool) => {
  for (const [parameter, args] of longTextsOf(tool)) {
    const stall = await longestStall(() => call(tool, args));
    expect.soft(stall, parameter).toBeLessThan(1);
  }
});

/** Arguments in which one parameter after the other is as long as it may be. */
function* longTextsOf(tool: string): Generator<readonly [parameter: string, args: JsonObject]> {
  const [args] = calls[tool]!;
  const { parameters } = home.host.registry.snapshot.find(tool)!;
  const properties = (parameters['properties'] ?? {}) as { readonly [name: string]: JsonSchema };
  for (const [key, { type, enum: choices, maxLength = megabyte }] of Object.entries(properties))
    if (type === 'string' && choices === undefined)
      yield [key, { ...args, [key]: 'word '.repeat(Number(maxLength) / 5) }];
}
