import { expect, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import type { JsonObject } from '../../../host/api/result.ts';
import { hostScope } from '../../../host/tools/access.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';

/** Uses every member of its context at once, and has a tool that returns the results. */
const plugin = `
const said = async (work) => { try { return await work(); } catch (cause) { return { code: cause.code ?? cause.name, message: cause.message }; } };
export default {
  async setup(context) {
    const scope = context.agents.scopeFor('tester');
    const results = {
      config: context.config,
      signal: context.signal.aborted,
      home: context.home,
      installation: typeof context.installation,
      timezone: context.timezone,
      development: context.development,
      artifact: typeof (await context.artifacts.write('kept')),
      origins: typeof context.fileOrigins.namedIn,
      secret: (await said(() => context.secrets.get('NOTHING'))) ?? null,
      messages: await context.history.messages(1),
      usage: typeof context.usage,
      agent: context.agents.agentFor('tester').id,
      places: (await context.knownFoldersFor(scope)).home,
      tools: context.registry.snapshot.find('greet')?.id,
      called: (await context.dispatch({ name: 'greet', args: {}, scope, caller: 'plugin' })).content,
      conversed: await said(() => context.converse({ agent: 'tester', source: 'test', externalId: '1', text: 'hi' })),
      started: (await said(() => context.startConversation({ agent: 'tester', source: 'test', externalId: '1' }))) ?? null,
      resumed: await said(() => context.chatCommands.run({ name: 'resume', rest: '7' }, { key: { source: 'test', externalId: '1' }, isOwner: false })),
      delivered: await said(() => context.deliver({ channel: 'nowhere', chat: '1' }, { text: 'hi' })),
      channels: Array.isArray(context.channels),
      model: await said(() => context.model('nothing')),
      embedded: (await context.embed(['text'])) ?? null,
      variable: context.variable('NOTHING') ?? null,
      rows: await (await context.database(['create table eager_rows (id integer)']).open()).selectFrom('eager_rows').selectAll().execute(),
      owned: context.own({ [Symbol.dispose]() {} }) !== undefined,
      reload: await said(() => context.reload()),
    };
    context.log.info('set up');
    return { packs: { eager: [{ name: 'report', description: 'What setup got', parameters: { type: 'object' }, execute: () => ({ content: [], structured: results }) }] } };
  },
};
`;

test('the setup of a plugin may use all of its context', async () => {
  await using home = await createHome({
    'pegboard.yaml': JSON.stringify({ plugins: { eager: { trusted: true } } }),
    'plugins/eager/plugin.yaml':
      'id: eager\nversion: "1.0.0"\ndescription: Starts early\npacks:\n  eager:\n    description: Reports\n',
    'plugins/eager/index.ts': plugin,
    'spaces/tester/space.manifest.json': '{ "id": "tester", "name": "Tester", "description": "Tests" }',
    'spaces/tester/agents/tester.yaml': 'id: tester\nname: Tester\ndescription: Tests\n',
    'spaces/tester/agent/tools/greet.md': manifest('greet', 'command: echo hello'),
  });
  await using host = await createHost({ home: home.path, environment: { PATH: process.env['PATH'] } });
  expect(host.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const { structured } = await host.dispatch({
    name: 'eager.report',
    args: {},
    scope: hostScope,
    caller: 'test',
  });
  expect(structured).toMatchObject({
    home: home.path,
    agent: 'tester',
    places: home.path,
    tools: 'tester.greet',
    called: [{ type: 'text', text: 'hello\n' }],
    conversed: { code: 'PEG_NO_MODEL' },
    delivered: { code: 'PEG_USAGE' },
    model: { code: 'PEG_CONFIG' },
    reload: { code: 'PEG_USAGE', message: expect.stringContaining('once setup has returned') as string },
    rows: [],
  });
  for (const result of Object.values(structured as JsonObject))
    expect(JSON.stringify(result)).not.toMatch(/initialization|undefined|TypeError|ReferenceError/);
});
