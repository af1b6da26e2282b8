import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openClientLogins, type LoginEntry } from '../../../../host/store/owner/client-logins.ts';

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'pegboard-logins-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return { path: join(folder, 'logins.db'), logins: await openClientLogins(join(folder, 'logins.db')) };
}

const entry = (kind: string, id: string, more: Partial<LoginEntry> = {}): LoginEntry => ({
  kind,
  id,
  client: id,
  grant: undefined,
  payload: { id },
  expiresAt: undefined,
  ...more,
});

test('the file is its owner’s alone', async () => {
  const { path, logins } = await open();
  using _ = logins;
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('of clients that anybody can register the oldest go, but none that was let in', async () => {
  const { logins } = await open();
  using _ = logins;
  for (let at = 0; at < 5; at++) await logins.put(entry('Client', `client ${at}`));
  await logins.put(entry('Grant', 'grant', { client: 'client 0' }));
  await logins.keepClients(3);
  const found = await Promise.all([0, 1, 2, 3, 4].map((at) => logins.find('Client', `client ${at}`)));
  const left = found.flatMap((client, at) => (client ? [at] : []));
  expect(left).toEqual([0, 3, 4]);
});

test('what was used stays used, for another process too, and what is revoked is gone', async () => {
  const { path, logins } = await open();
  using _ = logins;
  using other = await openClientLogins(path);
  await logins.put(entry('RefreshToken', 'token', { grant: 'grant' }));
  expect(await other.consume('RefreshToken', 'token')).toBe(true);
  expect(await logins.consume('RefreshToken', 'token')).toBe(false);
  expect(await logins.find('RefreshToken', 'token')).toMatchObject({
    consumed: expect.any(Number) as number,
  });
  await other.revoke('RefreshToken', 'grant');
  expect(await logins.find('RefreshToken', 'token')).toBeUndefined();
});
