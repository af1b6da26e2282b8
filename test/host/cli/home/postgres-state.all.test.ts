import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';
import { describePostgres, postgresUrl } from '../../../kit/postgres.ts';

describePostgres('a home whose state is on Postgres', () => {
  test('shares memories, schedules and usage with other homes of that state, and makes no file', async () => {
    const url = new URL(await postgresUrl());
    const { password } = url;
    url.password = '';
    const written = url.href.replace('pegboard@', 'pegboard:${PG_PASSWORD}@');
    const env = { PG_PASSWORD: password };
    await using one = await createHome({ 'pegboard.yaml': `state: ${written}` });
    await using other = await createHome({ 'pegboard.yaml': `state: ${written}` });
    const stored = await pegboard(['call', 'memory_store', 'content=Kim likes jasmine tea'], {
      home: one.path,
      env,
    });
    expect(stored).toMatchObject({ code: 0, stdout: expect.stringContaining('Remembered as #1.') });
    const recalled = await pegboard(['call', 'memory_recall', 'query=Which teas does Kim like?'], {
      home: other.path,
      env,
    });
    expect(recalled.stdout).toContain('jasmine');
    expect(
      await pegboard(['schedule', 'add', '0 9 * * *', 'Water it'], { home: one.path, env }),
    ).toMatchObject({ code: 0 });
    expect((await pegboard(['schedule', 'list'], { home: other.path, env })).stdout).toContain('Water it');
    expect(await pegboard(['usage'], { home: other.path, env })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('No model was used'),
    });
    expect(await pegboard(['boot-check'], { home: one.path, env })).toMatchObject({ code: 0 });
    for (const home of [one, other]) expect(existsSync(join(home.path, 'data/pegboard.db'))).toBe(false);
  });

  test('status, doctor, backup and restore say what is the matter of the server', async () => {
    const url = await postgresUrl();
    const { password } = new URL(url);
    await using home = await createHome({ 'pegboard.yaml': `state: ${url}` });
    const shown = url.replace(`:${password}@`, '@');
    const at = { home: home.path };
    const status = await pegboard(['status'], at);
    expect(status.stdout).toMatch(/state +postgres:\/\/pegboard@\S+ \(its size and backups are the matter/);
    expect(await pegboardJson(['status'], at)).toMatchObject({ config: { state: shown } });
    const doctor = await pegboardJson<{ checks: readonly { name: string }[] }>(['doctor'], at);
    expect(doctor.checks.find(({ name }) => name === 'database')).toEqual({
      name: 'database',
      status: 'ok',
      message: `${shown}; its damage and backups are the matter of its server (pg_dump)`,
    });
    const folder = join(home.path, 'copy');
    const backup = await pegboard(['backup', folder], at);
    expect(backup).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/in no backup of Pegboard: pg_dump/),
    });
    const restore = await pegboard(['restore', folder], at);
    expect(restore).toMatchObject({ code: 0, stderr: expect.stringMatching(/pg_restore/) });
    for (const { stdout, stderr } of [status, backup, restore])
      expect(stdout + stderr).not.toContain(password);
  });

  test('a server that refuses is explained, and the password is nowhere', async () => {
    const url = new URL(await postgresUrl());
    url.password = 'a-wrong-password-1';
    await using home = await createHome({ 'pegboard.yaml': `state: ${url.href}` });
    const at = { home: home.path };
    const call = await pegboard(['call', 'memory_store', 'content=x'], at);
    expect(call.code).toBe(1);
    expect(call.stderr).toMatch(/The database postgres:.* failed .*the password is wrong: correct `state`/);
    const doctor = await pegboard(['doctor'], at);
    expect(doctor.stdout).toMatch(/the password is wrong/);
    expect(doctor.stdout + doctor.stderr + call.stdout + call.stderr).not.toContain(url.password);
  });

  test('a plugin with tables for SQLite alone is left out, and a diagnostic says what to do', async () => {
    const files = (state: string): Record<string, string> => ({
      'pegboard.yaml': `${state}\nplugins: { dice: { trusted: true } }`,
      'plugins/dice/plugin.yaml':
        'id: dice\nversion: 1.0.0\ndescription: Dice\npacks:\n  dice: { description: Dice }\n',
      'plugins/dice/index.ts': `import { definePlugin } from 'pegboard';
export default definePlugin({
  setup(context) {
    context.database(['create table dice_rolls (id integer)']);
    return {};
  },
});`,
    });
    await using home = await createHome(files(`state: ${await postgresUrl()}`));
    const { stdout } = await pegboard(['plugins'], { home: home.path });
    const status = await pegboard(['status'], { home: home.path });
    expect(stdout + status.stdout + status.stderr).toMatch(
      /The plugin dice keeps tables, but its migrations are written for SQLite alone/,
    );
    expect(await pegboard(['call', 'memory_store', 'content=It works'], { home: home.path })).toMatchObject({
      code: 0,
    });
  });

  test('loads the driver of Postgres and its queues', async () => {
    await using home = await createHome({ 'pegboard.yaml': `state: ${await postgresUrl()}` });
    expect(await loadedBy(home)).toEqual(['pg', 'pg-boss']);
  });

  test('a secret is removed from what was stored before it was known', async () => {
    const url = await postgresUrl();
    await using home = await createHome({ 'pegboard.yaml': `state: ${url}` });
    const at = { home: home.path, env: { PEGBOARD_PASSPHRASE: 'correct horse battery staple' } };
    const secret = `it's "x"\\${'9f3a'.repeat(5)}`;
    await pegboard(['call', 'memory_store', `content=The door opens with ${secret}, says Kim`], at);
    expect(await contentsOf(url)).toContain('9f3a9f3a');
    expect(await pegboard(['secret', 'set', 'DOOR'], { ...at, input: secret })).toMatchObject({ code: 0 });
    expect(await contentsOf(url)).not.toContain('9f3a9f3a');
    const recalled = await pegboard(['call', 'memory_recall', 'query=How does the door open?'], at);
    expect(recalled.stdout).toContain('The door opens with [secret DOOR], says Kim');
  });
});

test('an address whose password has an unescaped @ or / is refused, and nothing of it is shown', async () => {
  const url = 'postgres://pegboard:hunter@Secret77/x@127.0.0.1:9/t3';
  await using home = await createHome({ 'pegboard.yaml': `state: ${url}` });
  const at = { home: home.path, env: { PGP: url } };
  const refusal = /not the address of a Postgres database\. .* write @ as %40, \/ as %2F/;
  const shown: string[] = [];
  const refuse = async (words: readonly string[], code: number): Promise<void> => {
    const result = await pegboard(words, at);
    expect(result.code, words.join(' ')).toBe(code);
    expect(result.stdout + result.stderr).toMatch(refusal);
    shown.push(result.stdout, result.stderr);
  };
  await refuse(['status'], 2);
  await refuse(['doctor'], 1);
  await home.write('pegboard.yaml', 'state: ${PGP}');
  await refuse(['schedule', 'list'], 2);
  await home.write('pegboard.yaml', '');
  expect(await pegboard(['memory', 'list'], at)).toMatchObject({ code: 0 });
  await refuse(['move', '--to', url, '--dry-run'], 2);
  const log = join(home.path, 'data/logs/host.log');
  if (existsSync(log)) shown.push(readFileSync(log, 'utf8'));
  expect(shown.join('\n')).not.toMatch(/hunter|Secret77|t3/);
});

test('a home with a file never loads the driver of Postgres or its queues', async () => {
  await using home = await createHome();
  expect(await loadedBy(home)).toEqual([]);
  expect(existsSync(join(home.path, 'data/pegboard.db'))).toBe(true);
});

/**
 * Those of the two packages that a host of the home loads, also by `require`, when it stores something and its services
 * work on queues.
 */
async function loadedBy(home: TestHome): Promise<readonly string[]> {
  const embed = pathToFileURL(join(import.meta.dirname, '../../../../host/exports/embed.ts')).href;
  const code = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({
      load(url, context, next) {
        const name = /node_modules\\/(pg|pg-boss)\\//.exec(url)?.[1];
        if (name) loaded.add(name);
        return next(url, context);
      },
    });
    const { createHost } = await import(${JSON.stringify(embed)});
    await using host = await createHost({ home: process.argv[1], trustHome: true });
    await host.setUpPlugins();
    const scope = { identity: 'host', access: {} };
    const stored = await host.dispatch({ name: 'memory_store', args: { content: 'x' }, scope, caller: 'test', confirm: 'never' });
    if (stored.isError) throw new Error(JSON.stringify(stored));
    await host.plugins.startServices();
    console.log(JSON.stringify([...loaded].toSorted()));`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    code,
    home.path,
  ]);
  return JSON.parse(stdout) as readonly string[];
}

/** All that memory has stored, and its index. */
async function contentsOf(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ content: string }>(
      `select content from pegboard.memory_memories union all select words::text from pegboard.memory_memories_fts`,
    );
    return rows.map(({ content }) => content).join('\n');
  } finally {
    await client.end();
  }
}
