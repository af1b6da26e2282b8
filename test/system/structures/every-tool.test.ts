import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schemaProblem } from '../../../host/core/documents/schema.ts';
import { hostScope } from '../../../host/tools/access.ts';
import { openAgentHome, type AgentHome } from '../../kit/homes/agent-home.ts';
import { builtInTools } from '../../kit/homes/built-in-tools.ts';
import { answersTo, calls, runElsewhere } from '../../kit/structures/built-in-calls.ts';
import { structureProblems } from '../../kit/structures/problems.ts';

let home: AgentHome;
beforeAll(async () => {
  home = await openAgentHome(() => ({ text: 'done' }), {
    files: {
      'spaces/work/agent/agent.yaml':
        'id: work\nrole: coordinator\nruntime: { watchers: true, scheduler: true }\n',
      'spaces/other/agent/agent.yaml': 'id: other\n',
      'notes/a.md': 'one\ntwo\n',
    },
  });
  using shop = new DatabaseSync(join(home.home.path, 'shop.db'));
  shop.exec('create table orders (id integer); insert into orders values (1)');
});
afterAll(() => home[Symbol.asyncDispose]());

/** The structure is that of the tool that it runs. */
const passesOn: ReadonlySet<string> = new Set(['execute_tool', 'run_script', 'run_read_only_script']);

describe('every built-in tool', () => {
  test('declares what it returns', async () => {
    for (const { tool } of builtInTools(home.host)) {
      if (passesOn.has(tool.name)) continue;
      expect(tool.outputSchema, tool.name).toBeDefined();
      expect(await schemaProblem(tool.outputSchema!), tool.name).toBeUndefined();
    }
  });

  test('is called here or by its own tests', () => {
    const known = [...Object.keys(calls), ...runElsewhere.split(/\s+/), ...passesOn];
    const names = builtInTools(home.host).map(({ tool }) => tool.name);
    expect(known.sort()).toEqual(names.sort());
  });
});

test('each returns that structure beside its text', async () => {
  for (const [name, [args, expected]] of Object.entries(calls)) {
    const { content, structured, error } = await home.host.dispatch({
      name,
      args,
      scope: { ...hostScope, agent: 'work' },
      caller: 'cli',
      ask: async ({ schema }) => ({ action: 'accept', content: answersTo(schema) }),
    });
    expect(error, name).toBeUndefined();
    expect(content.length, name).toBeGreaterThan(0);
    expect(structured, name).toMatchObject(expected);
    const { outputSchema } = home.host.registry.snapshot.find(name)!;
    expect(await structureProblems(outputSchema!, structured), name).toEqual([]);
  }
});
