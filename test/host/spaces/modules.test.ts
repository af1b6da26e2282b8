import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Ask } from '../../../host/api/ask.ts';
import { createHost } from '../../../host/create-host.ts';
import type { Host } from '../../../host/host.ts';
import { visible } from '../../../host/tools/access.ts';
import { textOf } from '../../../host/tools/result.ts';
import { createHome, manifest, type TestHome } from '../../kit/homes/home.ts';
import { ledgerPlugin, declaredModules } from './ledger-plugin.ts';

interface Opened extends AsyncDisposable {
  readonly home: TestHome;
  readonly host: Host;
}

const file = 'spaces/work/agent/agent.yaml';

async function open(
  agent: string,
  files: { readonly [file: string]: string } = {},
  environment: NodeJS.ProcessEnv = {},
): Promise<Opened> {
  const home = await createHome({ [file]: agent, ...ledgerPlugin, ...files });
  const host = await createHost({
    home: home.path,
    development: true,
    environment: { ...process.env, ...environment },
  });
  return {
    home,
    host,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

const idsFor = (host: Host, agent: string): string[] =>
  visible(host.registry.snapshot, host.scopeFor(agent))
    .filter(({ source }) => !source.isMeta)
    .map(({ id }) => id);

const call = (host: Host, name: string, args: unknown = {}, ask?: Ask) =>
  host.dispatch({ name, args, scope: host.scopeFor('work'), caller: 'test', ...(ask && { ask }) });

/** "line:column code → hint" of what is wrong. */
const found = ({ host }: Opened): string[] =>
  host.spaces.diagnostics.map(({ line, column, code, hint }) =>
    `${line}:${column} ${code} ${hint ?? ''}`.trim(),
  );

describe('modules as an agent file declares them', () => {
  test('an agent has the modules that it names, with the actions that they allow, and nothing else', async () => {
    await using opened = await open(declaredModules);
    expect(found(opened)).toEqual([]);
    expect(idsFor(opened.host, 'work').toSorted()).toEqual([
      'core.read_artifact',
      'filesystem.glob',
      'filesystem.grep',
      'filesystem.read',
      'ledger.fetch_results',
      'ledger.list_tables',
    ]);
    const refused = await call(opened.host, 'ledger.execute_query');
    expect(refused.error).toMatchObject({ code: 'PEG_TOOL_UNAVAILABLE', stage: 'resolve' });
    const unnamed = await call(opened.host, 'work.hello');
    expect(unnamed.error?.code).toBe('PEG_TOOL_NOT_FOUND');
  });

  test('setup steps use what the agent may not, once, in the folder of its space', async () => {
    await using opened = await open(declaredModules);
    const { host, home } = opened;
    const agent = host.spaces.agentFor('work');
    expect((await call(host, 'ledger.connect')).error?.code).toBe('PEG_TOOL_UNAVAILABLE');
    await Promise.all([host.spaces.setUp(agent), host.spaces.setUp(agent)]);
    await host.spaces.setUp(agent);
    expect((await call(host, 'ledger.fetch_results')).structured).toMatchObject({
      connection: join(home.path, 'spaces/work/data.db'),
      opened: 1,
      config: { timeout_seconds: 10 },
    });
  });

  test('setup runs again when the file says something else', async () => {
    await using opened = await open(declaredModules);
    const { host, home } = opened;
    await host.spaces.setUp(host.spaces.agentFor('work'));
    const path = await home.write(file, declaredModules.replace('data.db', 'other.db'));
    await host.spaces.changed([path]);
    await host.spaces.setUp(host.spaces.agentFor('work'));
    expect((await call(host, 'ledger.fetch_results')).structured).toMatchObject({
      connection: join(home.path, 'spaces/work/other.db'),
      opened: 2,
    });
  });

  test('setup runs again on a plugin that was loaded anew', async () => {
    await using opened = await open(declaredModules);
    const { host } = opened;
    await host.spaces.setUp(host.spaces.agentFor('work'));
    await host.plugins.reload('ledger');
    expect((await call(host, 'ledger.fetch_results')).structured).toMatchObject({ connection: 'none' });
    await host.spaces.setUp(host.spaces.agentFor('work'));
    expect((await call(host, 'ledger.fetch_results')).structured).not.toMatchObject({ connection: 'none' });
  });

  test('a step that fails names its place and reason, in the error and as a diagnostic, until it goes well', async () => {
    await using opened = await open(declaredModules.replace('data.db', 'missing.db'));
    const { host, home } = opened;
    const path = join(home.path, file);
    await expect(host.spaces.setUp(host.spaces.agentFor('work'))).rejects.toMatchObject({
      code: 'PEG_TOOL_FAILED',
      message: `The agent work could not be set up: ledger.connect failed (${path}:10:11). There is no ${join(home.path, 'spaces/work/missing.db')}.`,
    });
    expect(found(opened)).toEqual(['10:11 setup-failed']);
    await home.write(file, declaredModules);
    await host.spaces.changed([path]);
    await host.spaces.setUp(host.spaces.agentFor('work'));
    expect(found(opened)).toEqual([]);
  });

  test('modules, actions, constraints and settings that are not there are found with what was meant', async () => {
    await using opened = await open(`tools:
  modules:
    filesytem: {}
    ledger:
      config: { timeout: 10 }
      setup:
        - action: conect
      constraints:
        allowed_actions: [fetch_result, "list_*"]
        blocked_actions: [drop_tables]
        most_row: 5
    filesystem:
      config: { speed: 3 }
      constraints: { read_only: yes }
runtime:
  direct_modules: [databse]
`);
    expect(found(opened)).toEqual([
      '3:5 unknown-module filesytem → filesystem?',
      '5:17 unknown-key timeout → timeout_seconds?',
      '7:19 unknown-action conect → connect?',
      '9:27 unknown-action fetch_result → fetch_results?',
      '10:27 unknown-action drop_tables → drop_table?',
      '11:9 unknown-constraint most_row → most_rows?',
      '13:15 unknown-settings',
      '14:33 wrong-type write true without quotes',
      '16:20 unknown-module databse → database?',
    ]);
  });

  test('a limit that nobody can enforce keeps the agent from the whole module, until it is fixed', async () => {
    await using opened = await open(`tools:
  modules:
    ledger:
      constraints: { most_row: 5 }
    filesystem:
`);
    const { host, home } = opened;
    const { error } = await call(host, 'ledger.list_tables');
    expect(error).toMatchObject({ code: 'PEG_DENIED', stage: 'authorize' });
    expect(error?.message).toContain(`${join(home.path, file)}:4:22`);
    expect(error?.message).toContain('most_row → most_rows?');
    expect((await call(host, 'listdir', { path: '.' })).error).toBeUndefined();

    const path = await home.write(
      file,
      'tools: { modules: { ledger: { constraints: { most_rows: 5 } } } }\n',
    );
    await host.spaces.changed([path]);
    expect((await call(host, 'ledger.list_tables')).structured).toMatchObject({ mostRows: 5 });
  });

  test('read_only of the file tools holds for everything that could change a file', async () => {
    await using opened = await open(
      'tools: { modules: { filesystem: { constraints: { read_only: true } } } }\n',
    );
    const { host, home } = opened;
    const yes: Ask = async () => ({ action: 'accept' });
    for (const [name, args] of [
      ['write', { path: 'new.txt', content: 'x' }],
      ['edit', { path: 'pegboard.yaml', old_string: 'a', new_string: 'x' }],
      ['bash', { command: 'touch new.txt' }],
    ] as const) {
      const { error } = await call(host, name, args, yes);
      expect([name, error?.code, error?.stage]).toEqual([name, 'PEG_DENIED', 'prepare']);
    }
    expect((await call(host, 'read', { path: 'spaces/work/agent/agent.yaml' })).error).toBeUndefined();
    await expect(home.read('new.txt')).rejects.toThrow('ENOENT');
  });

  test('a tool that imitates the name of a module gets nobody in', async () => {
    const tool = manifest('ledger', 'command: echo hi');
    await using opened = await open(declaredModules, { 'spaces/work/agent/tools/ledger.md': tool });
    expect(idsFor(opened.host, 'work')).not.toContain('work.ledger');
  });
});

describe('middleware', () => {
  const withMiddleware = (middleware: string): string =>
    `tools: { modules: { ledger: { middleware: { ${middleware} } } } }\n`;

  test('rate_limit refuses what is too much and says when to come back; setup and other agents are not counted', async () => {
    await using opened = await open(withMiddleware('rate_limit: { per_minute: 2 }'), {
      'spaces/other/agent/agent.yaml': 'id: other\n',
    });
    const { host } = opened;
    expect((await call(host, 'ledger.list_tables')).error).toBeUndefined();
    expect((await call(host, 'ledger.list_tables')).error).toBeUndefined();
    const { error } = await call(host, 'ledger.list_tables');
    expect(error?.code).toBe('PEG_DENIED');
    expect(error?.message).toMatch(/2 calls a minute .* possible in \d+ s/);
    const byAnother = { name: 'ledger.list_tables', args: {}, scope: host.scopeFor('other'), caller: 'test' };
    expect((await host.dispatch(byAnother)).error).toBeUndefined();
    // A change elsewhere in the home doesn't reset the count.
    await host.spaces.changed([await opened.home.write('spaces/other/agent/SOUL.md', 'Calm.\n')]);
    expect((await call(host, 'ledger.list_tables')).error?.code).toBe('PEG_DENIED');
  });

  test('confirm asks a person before the actions that it names', async () => {
    await using opened = await open(withMiddleware('confirm: { actions: ["drop_*"] }'));
    const { host } = opened;
    const asked: string[] = [];
    const no: Ask = async ({ message }) => {
      asked.push(message);
      return { action: 'decline' };
    };
    expect((await call(host, 'ledger.list_tables', {}, no)).error).toBeUndefined();
    expect((await call(host, 'ledger.drop_table', {}, no)).error?.code).toBe('PEG_DECLINED');
    expect(asked).toEqual(['The agent work wants to run ledger.drop_table.']);
    expect((await call(host, 'ledger.drop_table')).error?.code).toBe('PEG_NOBODY_TO_ASK');
  });

  test('log writes each call with its arguments', async () => {
    await using home = await createHome({ [file]: withMiddleware('log:'), ...ledgerPlugin });
    {
      await using host = await createHost({ home: home.path, development: true });
      await call(host, 'ledger.list_tables', { sql: 'select 1' });
    }
    expect(await home.read('data/logs/host.log')).toContain('"tool":"ledger.list_tables"');
    expect(await home.read('data/logs/host.log')).toContain('select 1');
  });

  test('one that is not known, or lacks its setting, is refused with its place', async () => {
    await using opened = await open(`tools:
  modules:
    ledger:
      middleware:
        rate_limits: { per_minute: 2 }
        rate_limit: {}
`);
    expect(found(opened)).toEqual(['5:9 unknown-key rate_limits → rate_limit?', '6:9 missing-key']);
  });
});

describe('a credential', () => {
  const agent = 'tools: { modules: { ledger: { credential: DB_TOKEN }, work: { credential: DB_TOKEN } } }\n';
  const files = {
    'spaces/work/agent/tools/token.md': manifest('token', `command: sh -c 'echo "[$DB_TOKEN]"'`),
  };

  test('reaches commands as a variable and functions through the call, and is shown to nobody', async () => {
    await using opened = await open(agent, files, { DB_TOKEN: 'geheim-4711' });
    const { host } = opened;
    expect(textOf(await call(host, 'work.token'))).toContain('[[secret DB_TOKEN]]');
    const { structured } = await call(host, 'ledger.list_tables');
    expect(structured).toMatchObject({ credential: { name: 'DB_TOKEN', value: '[secret DB_TOKEN]' } });
    // The owner's own calls aren't calls of an agent.
    const own = await host.dispatch({
      name: 'work.token',
      args: {},
      scope: host.scopeFor(undefined),
      caller: 'test',
    });
    expect(textOf(own)).toBe('[]\n');
  });

  test('that is not there is named, with the way to store it', async () => {
    await using opened = await open(agent, files);
    const { error } = await call(opened.host, 'work.token');
    expect(error).toMatchObject({ code: 'PEG_MISSING_VARIABLE', stage: 'execute' });
    expect(error?.message).toContain('pegboard secret set DB_TOKEN');
  });
});
