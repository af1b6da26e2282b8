import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pegboard, startPegboard } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { freePort, postgresUrl, serverAccount } from '../../../kit/postgres.ts';
import { hasPostgres } from '../../../kit/postgres-programs.ts';

const hasPgBouncer = (() => {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return hasPostgres;
  } catch {
    return false;
  }
})();

/** PgBouncer in front of an empty database. */
async function startPooler(mode: 'session' | 'transaction'): Promise<AsyncDisposable & { url: string }> {
  const { hostname, port: serverPort, username, password, pathname } = new URL(await postgresUrl());
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-pooler-'));
  const account = serverAccount();
  if (account) chownSync(folder, account.uid, account.gid);
  const port = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
pooled = host=${hostname} port=${serverPort} dbname=${pathname.slice(1)} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
  );
  const pooler = spawn('pgbouncer', ['-q', settings], { ...account, cwd: folder, stdio: 'ignore' });
  const answers = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)));
      socket.on('error', () => resolve(false));
    });
  await expect.poll(answers).toBe(true);
  return {
    url: `postgres://somebody@127.0.0.1:${port}/pooled`,
    async [Symbol.asyncDispose]() {
      const ended = once(pooler, 'exit');
      pooler.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

describe.skipIf(!hasPgBouncer)(hasPgBouncer ? 'PgBouncer' : 'PgBouncer (skipped: not installed)', () => {
  test('in session mode, hosts run behind it', async () => {
    await using pooler = await startPooler('session');
    await using home = await createHome({ 'pegboard.yaml': `state: ${pooler.url}` });
    await using one = startPegboard(['start'], { home: home.path });
    await one.waitFor(/running \d/);
    await using other = startPegboard(['start'], { home: home.path });
    await other.waitFor(/running \d/);
    const { stdout } = await pegboard(['hosts'], { home: home.path });
    expect(stdout.match(/ live /g)).toHaveLength(2);
  });

  test('in transaction mode, no host starts, and doctor says why', async () => {
    await using pooler = await startPooler('transaction');
    await using home = await createHome({ 'pegboard.yaml': `state: ${pooler.url}` });
    const start = await pegboard(['start'], { home: home.path });
    expect(start).toMatchObject({ code: 1, stderr: expect.stringMatching(/pooler in transaction mode/) });
    const { stdout } = await pegboard(['doctor'], { home: home.path });
    expect(stdout).toMatch(/✗ database .*pooler in transaction mode/);
    await using moving = await createHome();
    const at = { home: moving.path };
    expect(await pegboard(['call', 'memory_store', 'content=x'], at)).toMatchObject({ code: 0 });
    expect(await pegboard(['move', '--to', pooler.url, '--dry-run'], at)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/pooler in transaction mode/),
    });
  });
});
