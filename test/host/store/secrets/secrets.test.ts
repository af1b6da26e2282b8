import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  openSecrets,
  syncFromEnvironment,
  type SecretStore,
} from '../../../../host/store/secrets/secrets.ts';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome, manifest } from '../../../kit/homes/home.ts';

const value = 'a-secret-value-4711';
const open = (path: string, passphrase?: string): SecretStore =>
  openSecrets(path, { ...(passphrase !== undefined && { passphrase }), onValue: () => {} });

test('a secret is kept over restarts, for this user alone, and can be deleted', async () => {
  await using home = await createHome();
  const path = join(home.path, 'data/secrets/secrets.json');
  await open(path).set('TOKEN', value, 'owner');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  const secrets = open(path);
  expect(secrets.get('TOKEN')).toBe(value);
  expect(secrets.list()).toMatchObject([{ name: 'TOKEN', origin: 'owner' }]);
  expect(await secrets.delete('TOKEN')).toBe(true);
  expect(await secrets.delete('TOKEN')).toBe(false);
  expect(open(path).get('TOKEN')).toBeUndefined();
});

test('with a passphrase nothing of a value lies in the file, and only the passphrase opens it', async () => {
  await using home = await createHome();
  const path = join(home.path, 'data/secrets/secrets.json');
  await open(path, 'correct horse').set('TOKEN', value, 'owner');
  const stored = await readFile(path, 'utf8');
  for (const form of [value, 'TOKEN', Buffer.from(value).toString('base64').slice(0, 12)])
    expect(stored).not.toContain(form);
  expect(open(path, 'correct horse').get('TOKEN')).toBe(value);
  expect(open(path, 'wrong').diagnostics).toMatchObject([{ code: 'secrets-unreadable' }]);
  expect(open(path).diagnostics[0]!.message).toContain('PEGBOARD_PASSPHRASE');
});

test('a file that was changed by a single byte is refused, reported and not written over', async () => {
  await using home = await createHome();
  const path = join(home.path, 'data/secrets/secrets.json');
  await open(path, 'p').set('TOKEN', value, 'owner');
  const sealed = JSON.parse(await readFile(path, 'utf8')) as { data: string };
  const first = sealed.data.startsWith('A') ? 'B' : 'A';
  const changed = JSON.stringify({ ...sealed, data: first + sealed.data.slice(1) });
  await writeFile(path, changed);
  const secrets = open(path, 'p');
  expect(secrets.diagnostics).toHaveLength(1);
  await expect(secrets.set('OTHER', value, 'owner')).rejects.toThrow('PEGBOARD_PASSPHRASE');
  expect(await readFile(path, 'utf8')).toBe(changed);
});

test('EXT_ variables become secrets without their prefix', async () => {
  await using home = await createHome();
  const secrets = open(join(home.path, 'data/secrets/secrets.json'));
  await syncFromEnvironment(secrets, { EXT_TOKEN: value, EXT_: 'x', EXT_EMPTY: '', OTHER: 'y' });
  expect(secrets.list()).toMatchObject([{ name: 'TOKEN', origin: 'environment' }]);
});

test('a tool gets a secret by its name, and nobody sees the value in any form', async () => {
  await using home = await createHome({
    'spaces/s/agent/tools/show.md': manifest(
      'show',
      'command: sh -c \'printf "%s|" "$TOKEN"; printf %s "$TOKEN" | base64\'\nenvironment:\n  TOKEN: ${TOKEN}',
    ),
  });
  const stored = await pegboard(['secret', 'set', 'TOKEN'], { home: home.path, input: `${value}\n` });
  expect(stored).toMatchObject({ code: 0 });
  const { stdout } = await pegboard(['call', 'show', '--yes'], { home: home.path });
  // The last character of base64 can stand for a bit of the value's last byte.
  expect(stdout.trim()).toMatch(/^\[secret TOKEN\]\|\[secret TOKEN\].?={0,2}$/);
  const listed = await pegboardJson<{ secrets: object[] }>(['secret', 'list'], { home: home.path });
  expect(listed.secrets).toMatchObject([{ name: 'TOKEN' }]);
  expect(JSON.stringify(listed)).not.toContain(value);
  const status = await pegboard(['status', '--json'], { home: home.path });
  expect(status.stdout).not.toContain(value);
});

test('a name that is no variable, an empty value and an unknown secret are refused with what to do', async () => {
  await using home = await createHome();
  const run = (args: string[], input: string) => pegboard(['secret', ...args], { home: home.path, input });
  expect(await run(['set', 'my token'], 'x')).toMatchObject({ code: 2 });
  expect((await run(['set', 'TOKEN'], '')).stderr).toContain('needs a value');
  await run(['set', 'TOKEN'], value);
  expect((await run(['delete', 'TOKAN'], '')).stderr).toContain('Did you mean TOKEN?');
});
