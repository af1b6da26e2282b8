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
  for (let at = 0; at < 5; at++) logins.put(entry('Client', `client ${at}`));
  logins.put(entry('Grant', 'grant', { client: 'client 0' }));
  logins.keepClients(3);
  const left = [0, 1, 2, 3, 4].filter((at) => logins.find('Client', `client ${at}`));
  expect(left).toEqual([0, 3, 4]);
});

test('what was used stays used, for another process too, and what is revoked is gone', async () => {
  const { path, logins } = await open();
  using _ = logins;
  using other = await openClientLogins(path);
  logins.put(entry('RefreshToken', 'token', { grant: 'grant' }));
  expect(other.consume('RefreshToken', 'token')).toBe(true);
  expect(logins.consume('RefreshToken', 'token')).toBe(false);
  expect(logins.find('RefreshToken', 'token')).toMatchObject({ consumed: expect.any(Number) as number });
  other.revoke('RefreshToken', 'grant');
  expect(logins.find('RefreshToken', 'token')).toBeUndefined();
});
