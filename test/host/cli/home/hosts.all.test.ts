import { Client } from 'pg';
import { expect, test } from 'vitest';
import { pegboard, startPegboard } from '../../../kit/cli.ts';
import { leaveJobs } from '../../../kit/engine/left-jobs.ts';
import { createHome, manifest } from '../../../kit/homes/home.ts';
import { describePostgres, postgresUrl } from '../../../kit/postgres.ts';
import { expectLetters, listed } from './listed-hosts.ts';

const endOf = (id: string): string => id.split('/')[1]!;

describePostgres('hosts on Postgres', () => {
  const greet = manifest('greet', 'command: echo hi');
  const filesOf = (state: string, others: Record<string, string> = {}): Record<string, string> => ({
    'pegboard.local.yaml': `state: ${state}`,
    'spaces/work/agent/tools/greet.md': greet,
    'spaces/work/workspace/note.txt': String(Math.random()),
    ...others,
  });

  test('two hosts of one folder run beside each other, and restore waits for both', async () => {
    await using home = await createHome(filesOf(await postgresUrl()));
    const at = { home: home.path };
    await using one = startPegboard(['start'], { ...at, apart: true });
    await one.waitFor(/running \d/);
    await using other = startPegboard(['start'], { ...at, apart: true });
    await other.waitFor(/running \d/);
    const { hosts } = await listed(home.path);
    expect(hosts.map(({ id }) => endOf(id))).toEqual([one, other].map(({ child }) => String(child.pid)));
    expect(new Set(hosts.map(({ files }) => files)).size).toBe(1);
    expect(hosts.flatMap(({ roles }) => roles).filter((role) => role === 'core.watchers')).toHaveLength(1);
    one.child.kill('SIGTERM');
    expect(await one.ended).toMatchObject({ code: 0 });
    const refused = await pegboard(['restore', home.path], at);
    expect(refused).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(`in use by a host \\(process ${other.child.pid} on`),
    });
    other.child.kill('SIGKILL');
    await other.ended;
    expect((await pegboard(['restore', home.path], at)).stderr).not.toContain('in use by');
    await expect.poll(async () => (await listed(home.path)).hosts.filter(({ live }) => live)).toEqual([]);
  });

  test('what waits is listed with how long it has waited', async () => {
    await using home = await createHome(filesOf(await postgresUrl()));
    await leaveJobs(home.path);
    await expectLetters(home.path);
  });

  test('listing hosts makes no queues on a server that has none', async () => {
    const url = await postgresUrl();
    await using home = await createHome(filesOf(url));
    expect(await listed(home.path)).toMatchObject({ hosts: [], queues: [] });
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(`select from pg_namespace where nspname = 'pegboard_jobs'`);
    await client.end();
    expect(rows).toEqual([]);
  });

  test('a host that can’t read the shared secrets, or has other channels or people, is refused', async () => {
    await using home = await createHome(filesOf(await postgresUrl()));
    const env = { PEGBOARD_PASSPHRASE: 'correct horse', TELEGRAM_API_ROOT: 'http://127.0.0.1:9' };
    const at = { home: home.path, env };
    expect(await pegboard(['secret', 'set', 'SHARED'], { ...at, input: 'a-value-4711' })).toMatchObject({
      code: 0,
    });
    for (const PEGBOARD_PASSPHRASE of ['battery staple', '']) {
      const refused = await pegboard(['start'], { ...at, env: { ...env, PEGBOARD_PASSPHRASE } });
      expect(refused).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/no work: .*PEGBOARD_PASSPHRASE/),
      });
    }

    await using first = startPegboard(['start'], { ...at, apart: true });
    await first.waitFor(/running \d/);
    const withBot = { ...env, TELEGRAM_BOT_TOKEN: `123456789:${'a'.repeat(35)}` };
    const refused = await pegboard(['start'], { ...at, env: withBot });
    expect(refused).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/telegram can be used here and not there/),
    });
    first.child.kill('SIGTERM');
    await first.ended;
    await using withTelegram = startPegboard(['start'], { ...at, env: withBot, apart: true });
    await withTelegram.waitFor(/running \d/);
    const without = await pegboard(['start'], at);
    expect(without).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/telegram can be used there and not here/),
    });
    for (const other of [
      { TELEGRAM_BOT_TOKEN: `987654321:${'a'.repeat(35)}` },
      { ALLOWED_TELEGRAM_IDS: '1 2' },
    ]) {
      const refused = await pegboard(['start'], { ...at, env: { ...withBot, ...other } });
      expect(refused).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/telegram has another account, or another list of people/),
      });
    }
  });

  test('a host with other files is refused and told which, until it has the same or the other has stopped', async () => {
    const url = await postgresUrl();
    await using home = await createHome(filesOf(url));
    await using other = await createHome(
      filesOf(url, {
        'pegboard.yaml': 'confirm: always',
        'spaces/work/agent/tools/greet.md': greet.replace('echo hi', 'echo hello'),
        'spaces/work/agent/skills/tea.md': '---\nname: tea\ndescription: Tea\n---\nTea.\n',
      }),
    );
    await using first = startPegboard(['start'], { home: home.path, apart: true });
    await first.waitFor(/running \d/);
    const refused = await pegboard(['start'], { home: other.path });
    expect(refused.code).toBe(3);
    expect(refused.stderr).toMatch(
      new RegExp(
        `The files of ${other.path} are not those of the host \\S+/${first.child.pid}, which runs on the same database\\. They differ in pegboard\\.yaml, spaces/work/agent/skills/tea\\.md \\(only here\\), spaces/work/agent/tools/greet\\.md\\.`,
      ),
    );
    expect(refused.stderr).toContain('git pull');
    expect((await listed(home.path)).hosts.map(({ id }) => endOf(id))).toEqual([String(first.child.pid)]);

    // As `git pull` does, on the machine of the host that runs: it takes the change at once.
    const before = (await listed(home.path)).hosts[0]!.files;
    for (const file of [
      'pegboard.yaml',
      'spaces/work/agent/tools/greet.md',
      'spaces/work/agent/skills/tea.md',
    ])
      await home.write(file, await other.read(file));
    await expect.poll(async () => (await listed(home.path)).hosts[0]!.files).not.toBe(before);
    await expect
      .poll(async () => {
        await using second = startPegboard(['start'], { home: other.path, apart: true });
        return await second.waitFor(/running \d/).then(
          () => 'runs',
          () => 'refused',
        );
      })
      .toBe('runs');
  });

  test('a host that was killed keeps no other from starting with new files', async () => {
    const url = await postgresUrl();
    await using home = await createHome(filesOf(url));
    await using first = startPegboard(['start'], { home: home.path, apart: true });
    await first.waitFor(/running \d/);
    first.child.kill('SIGKILL');
    await first.ended;
    await home.write('spaces/work/agent/tools/greet.md', greet.replace('echo hi', 'echo hello'));
    await using second = startPegboard(['start'], { home: home.path, apart: true });
    await second.waitFor(/running \d/);
    expect((await listed(home.path)).hosts.filter(({ live }) => live)).toHaveLength(1);
  });
});
