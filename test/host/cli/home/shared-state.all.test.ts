import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createHost } from '../../../../host/create-host.ts';
import type { Host } from '../../../../host/host.ts';
import { openSecrets } from '../../../../host/store/secrets/secrets.ts';
import { hostScope } from '../../../../host/tools/access.ts';
import { pegboard, type CliResult } from '../../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../../kit/homes/home.ts';
import { describePostgres, postgresUrl, startPostgres } from '../../../kit/postgres.ts';

const passphrase = 'correct horse battery staple';
const token = 'a-token-of-the-test-4711';

/** A clone of a home on a machine of its own, with a user of its own. */
interface Machine extends AsyncDisposable {
  readonly home: TestHome;
  readonly env: NodeJS.ProcessEnv;
  run(
    args: readonly string[],
    options?: { readonly input?: string; readonly env?: NodeJS.ProcessEnv },
  ): Promise<CliResult>;
  /** Follows changes, in this process. */
  host(env?: NodeJS.ProcessEnv): Promise<Host>;
}

const files = (url: URL): Record<string, string> => {
  const written = url.href.replace(`:${url.password}@`, ':${PG_PASSWORD}@');
  return {
    'pegboard.yaml': `state: ${written}\nspaces: { theirs: { trusted: false } }\noutput: { limit: 1000 }\n`,
    'spaces/work/agent/tools/show.md': manifest(
      'show',
      'command: printenv TOKEN\nenvironment:\n  TOKEN: ${TOKEN}',
    ),
    'spaces/work/agent/tools/count.md': manifest('count', 'command: seq 5000'),
    'spaces/theirs/agent/tools/hi.md': manifest('hi', 'command: echo hi'),
    'plugins/dice/plugin.yaml':
      'id: dice\nversion: 1.0.0\ndescription: Dice\npacks:\n  dice: { description: Dice }\n',
    'plugins/dice/index.ts': `import { definePlugin } from 'pegboard';
export default definePlugin({ setup: () => ({}) });`,
  };
};

async function machine(url: string): Promise<Machine> {
  const address = new URL(url);
  const home = await createHome(files(address));
  const state = mkdtempSync(join(tmpdir(), 'pegboard-user-'));
  const env = {
    XDG_STATE_HOME: state,
    PEGBOARD_TRUST_HOME: home.path,
    PEGBOARD_PASSPHRASE: passphrase,
    PG_PASSWORD: address.password,
  };
  return {
    home,
    env,
    run: (args, { input = '', env: others = {} } = {}) =>
      pegboard(args, { home: home.path, input, env: { ...env, ...others } }),
    host: (others = {}) =>
      createHost({
        home: home.path,
        environment: { PATH: process.env['PATH'], ...env, ...others },
        stateFolder: join(state, 'pegboard'),
        trustHome: true,
        watch: true,
        mcp: 'off',
      }),
    async [Symbol.asyncDispose]() {
      rmSync(state, { recursive: true, force: true });
      await home[Symbol.asyncDispose]();
    },
  };
}

async function call(host: Host, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const result = await host.dispatch({ name, args, scope: hostScope, caller: 'test' });
  return JSON.stringify(result);
}

const stateOf = (host: Host, plugin: string): string | undefined =>
  host.plugins.states.find(({ manifest: { id } }) => id === plugin)?.state;

describePostgres('machines that share their state', () => {
  test('what is approved on one holds on the other while its host runs, until it is revoked', async () => {
    const url = await postgresUrl();
    await using one = await machine(url);
    await using other = await machine(url);
    await using host = await other.host();
    expect(stateOf(host, 'dice')).toBe('untrusted');
    expect(await one.run(['approvals', 'allow', 'dice', '--yes'])).toMatchObject({ code: 0 });
    await expect.poll(() => stateOf(host, 'dice')).toBe('running');
    expect(host.spaces.all.find(({ id }) => id === 'theirs')!.pending).toBeDefined();
    expect(await one.run(['approvals', 'allow', 'spaces/theirs', '--yes'])).toMatchObject({ code: 0 });
    await expect.poll(() => call(host, 'theirs.hi')).toContain('hi');

    await using own = await one.host();
    await own.secrets.set('TOKEN', token, 'owner');
    expect(await one.run(['approvals', 'allow', 'work.show', '--yes'])).toMatchObject({ code: 0 });
    await expect.poll(() => call(host, 'work.show')).toContain('[secret TOKEN]');
    expect(host.secrets.get('TOKEN')).toBe(token);

    expect(await one.run(['approvals', 'revoke', 'work.show'])).toMatchObject({ code: 0 });
    await expect.poll(() => call(host, 'work.show')).toContain('PEG_');
    expect(await own.trust.revoke('dice')).toBe(true);
    await expect.poll(() => stateOf(host, 'dice')).toBe('untrusted');
    expect(await own.secrets.delete('TOKEN')).toBe(true);
    await expect.poll(() => host.secrets.get('TOKEN')).toBeUndefined();
  });

  test('a secret is stored sealed or not at all, and a host with another passphrase says so and changes nothing', async () => {
    const url = await postgresUrl();
    await using one = await machine(url);
    await using other = await machine(url);
    const without = { PEGBOARD_PASSPHRASE: undefined };
    const refused = await one.run(['secret', 'set', 'TOKEN'], { input: token, env: without });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(
      /The secret TOKEN was not stored: .* Set the variable PEGBOARD_PASSPHRASE to the same text on every host/,
    );
    // That of the address is this machine's, and is needed before anything else can be found.
    const lost = { PG_PASSWORD: undefined };
    const password = await one.run(['secret', 'set', 'PG_PASSWORD'], {
      input: new URL(url).password,
      env: { ...lost, ...without },
    });
    expect(password).toMatchObject({ code: 0, stdout: expect.stringContaining('PG_PASSWORD is stored') });
    expect(await one.run(['secret', 'set', 'TOKEN'], { input: token, env: lost })).toMatchObject({ code: 0 });

    const stored = await contentsOf(url);
    expect(Object.keys(stored)).toEqual(['secrets.json']);
    for (const form of [token, 'TOKEN', 'PG_PASSWORD']) expect(stored['secrets.json']).not.toContain(form);
    {
      await using wrong = await other.host({ PEGBOARD_PASSPHRASE: 'another one' });
      expect(wrong.secrets.get('TOKEN')).toBeUndefined();
      expect(wrong.diagnostics.map(({ message }) => message)).toContainEqual(
        expect.stringMatching(
          /PEGBOARD_PASSPHRASE does not open .* All hosts that share postgres:.* same one/,
        ),
      );
      await expect(wrong.secrets.set('OTHER', token, 'owner')).rejects.toThrow('PEGBOARD_PASSPHRASE');
      await expect(wrong.secrets.delete('TOKEN')).rejects.toThrow('PEGBOARD_PASSPHRASE');
    }
    const reason = /PEGBOARD_PASSPHRASE does not open the stored secrets/;
    const wrong = { env: { PEGBOARD_PASSPHRASE: 'another one' } };
    expect(await other.run(['approvals', 'allow', 'work.show', '--yes'])).toMatchObject({ code: 0 });
    const server = { command: 'node', env: { T: '${TOKEN}' } };
    await other.home.write('.mcp.json', JSON.stringify({ mcpServers: { needy: server } }));
    for (const [args, code] of [
      [['secret', 'list'], 1],
      [['call', 'work.show'], 1],
      [['mcp', 'list'], 0],
      [['doctor'], 1],
      [['move', '--to', 'postgres://me:${NOBODYS}@127.0.0.1/x', '--dry-run'], 2],
    ] as const) {
      const result = await other.run(args, wrong);
      expect(result.code, args.join(' ')).toBe(code);
      expect(result.stdout + result.stderr).toMatch(reason);
      expect(result.stderr).not.toMatch(/There are no secrets|Set it in the environment|Store it with/);
    }
    const listed = await other.run(['secret', 'list', '--json'], { env: { PEGBOARD_PASSPHRASE: undefined } });
    expect(listed).toMatchObject({ code: 1, stderr: expect.stringMatching(/The secrets are sealed/) });
    expect(await contentsOf(url)).toEqual({ ...stored, 'approved.json': expect.anything() });
    await using host = await other.host();
    expect(host.secrets.get('TOKEN')).toBe(token);
    expect(host.secrets.get('PG_PASSWORD')).toBeUndefined();
  });

  test('secrets of before stay with their machine, which doctor says, until they are stored again', async () => {
    const url = await postgresUrl();
    await using one = await machine(url);
    await using other = await machine(url);
    const own = join(one.home.path, 'data/secrets/secrets.json');
    await openSecrets(own, { onValue: () => {} }).set('TOKEN', token, 'owner');
    const doctor = await one.run(['doctor', '--json']);
    expect((JSON.parse(doctor.stdout) as { checks: unknown[] }).checks).toContainEqual({
      name: 'secrets',
      status: 'warning',
      message: 'TOKEN is on this machine alone: the other hosts of this state do not have it',
      fix: expect.stringMatching(/secret set TOKEN$/),
    });
    await using host = await one.host({ EXT_HERE: 'a-value-of-the-environment' });
    expect(host.secrets.get('TOKEN')).toBe(token);
    await host.secrets.set('TOKEN', 'another-value-4712', 'owner');
    await using there = await other.host();
    expect(there.secrets.list().map(({ name }) => name)).toEqual(['TOKEN']);
    expect(there.secrets.get('TOKEN')).toBe('another-value-4712');
    expect(await there.secrets.delete('TOKEN')).toBe(true);
    await expect.poll(() => host.secrets.list().map(({ name }) => name)).toEqual(['HERE']);
  });

  test('what was too long to show on one is read on the other', async () => {
    const url = await postgresUrl();
    await using one = await machine(url);
    await using other = await machine(url);
    const { stdout } = await one.run(['call', 'work.count', '--json']);
    const [, id] = /read_artifact[^A-Za-z]+id[^A-Za-z]+([\w-]{11})/.exec(stdout) ?? [];
    await using host = await other.host();
    expect(await call(host, 'read_artifact', { id, offset: 20_000 })).toContain('4999');
    expect(existsSync(join(one.home.path, 'data/artifacts'))).toBe(false);
  });

  test('while the database is away, nothing can be approved, and what was approved last holds', async () => {
    await using server = await startPostgres();
    await using one = await machine(await server.createDatabase());
    await using host = await one.host();
    await host.trust.trust('dice', 'a-hash');
    await server.stop();
    const refused = await one.run(['approvals', 'allow', 'work.show', '--yes']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/The database .* failed/) });
    expect(await one.run(['call', 'work.count'])).toMatchObject({ code: 0 });
    await using stale = await one.host();
    expect(stale.trust.isTrusted('dice', 'a-hash')).toBe(true);
    expect(stale.approvals.list()).toEqual([]);
    expect(stale.diagnostics).toContainEqual(expect.objectContaining({ code: 'shared-state-unreachable' }));
    await server.start();
    await expect.poll(() => stale.trust.revoke('dice').catch(() => 'away')).toBe(true);
    await expect.poll(() => host.trust.list()).toEqual([]);
  });
});

/** The shared documents, by name. */
async function contentsOf(url: string): Promise<Record<string, string>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string; text: string }>(
    `select name, convert_from(content, 'UTF8') as text from pegboard.shared_documents order by name`,
  );
  await client.end();
  return Object.fromEntries(rows.map(({ name, text }) => [name, text]));
}
