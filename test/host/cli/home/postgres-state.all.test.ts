import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { describePostgres, postgresUrl } from '../../../kit/postgres.ts';
import { loadedBy } from './loaded-by.ts';

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
