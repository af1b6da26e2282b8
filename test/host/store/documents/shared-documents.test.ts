import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { processSurroundings } from '../../../../host/core/platform/surroundings.ts';
import {
  createPostgresDatabase,
  type PostgresDatabase,
} from '../../../../host/store/database/postgres/database.ts';
import {
  createSharedDocuments,
  type SharedDocuments,
} from '../../../../host/store/documents/shared-documents.ts';
import { createFileOrigins } from '../../../../host/store/files/file-origins.ts';
import { openJsonStore, type JsonStore } from '../../../../host/store/files/json-store.ts';
import { openOAuthStore, type OAuthStore } from '../../../../host/sources/mcp/oauth/oauth-store.ts';
import { openPinStore } from '../../../../host/sources/mcp/approval/pin-store.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { temporaryFolder } from '../../../kit/homes/plugin-home.ts';
import { describePostgres, postgresUrl } from '../../../kit/postgres.ts';

interface Host {
  readonly folder: string;
  readonly documents: SharedDocuments;
  readonly database: PostgresDatabase;
}

/** With a folder of its own, unless it is on the machine of another one. */
function hostOf(url: string, folder = temporaryFolder()): Host {
  const database = createPostgresDatabase(url);
  onTestFinished(async () => {
    await database[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, database, documents: createSharedDocuments(folder, database) };
}

interface Count {
  readonly names: readonly string[];
}

const countOf = ({ folder, documents }: Host): JsonStore<Count> =>
  openJsonStore<Count>(join(folder, 'count.json'), {
    empty: { names: [] },
    what: '',
    consequence: '',
    documents,
  });

describePostgres('shared documents', () => {
  test('no change of several hosts at the same time is lost', async () => {
    const url = await postgresUrl();
    const one = hostOf(url);
    const other = hostOf(url);
    const hosts = [one, other, hostOf(url, one.folder)];
    const names = hosts.flatMap((host, at) => {
      const store = countOf(host);
      return Array.from({ length: 20 }, (_, change) => ({ store, name: `${at}/${change}` }));
    });
    await Promise.all(
      names.map(({ store, name }) => store.update((now) => ({ names: [...now.names, name] }))),
    );
    for (const host of hosts) {
      await host.documents.refresh();
      expect(countOf(host).data.names.toSorted()).toEqual(names.map(({ name }) => name).toSorted());
    }
  });

  test('a change in which the machine slept is made again', async () => {
    const host = hostOf(await postgresUrl());
    const path = join(host.folder, 'count.json');
    let times = 0;
    const edit = (): string => {
      // Longer than the server waits for a process in the middle of a transaction.
      if (times++ === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_000);
      return '{"times": 1}';
    };
    await host.documents.change(path, edit);
    expect([times, readFileSync(path, 'utf8')]).toEqual([2, '{"times": 1}']);
  });

  test('a change that fails changes nothing, here and there', async () => {
    const url = await postgresUrl();
    const one = hostOf(url);
    await countOf(one).update(() => ({ names: ['kept'] }));
    const failing = countOf(one).update(() => {
      throw new Error('not today');
    });
    await expect(failing).rejects.toThrow('not today');
    await one.database[Symbol.asyncDispose]();
    await expect(countOf(one).update(() => ({ names: [] }))).rejects.toMatchObject({ code: 'PEG_DATABASE' });
    const other = hostOf(url);
    await other.documents.refresh();
    for (const host of [one, other]) expect(countOf(host).data.names).toEqual(['kept']);
  });

  test('a copy is what the hosts share: what only this machine has, or has otherwise, is replaced', async () => {
    const url = await postgresUrl();
    const one = hostOf(url);
    await countOf(one).update(() => ({ names: ['shared'] }));
    writeFileSync(join(one.folder, 'count.json'), '{"names":["forged"]}');
    writeFileSync(join(one.folder, 'pins.json'), '{}');
    writeFileSync(join(one.folder, '.cache.json'), '{}');
    await one.documents.refresh();
    expect(countOf(one).data.names).toEqual(['shared']);
    expect(() => readFileSync(join(one.folder, 'pins.json'))).toThrow('ENOENT');
    expect(readFileSync(join(one.folder, '.cache.json'), 'utf8')).toBe('{}');
    // As after a dump of before was restored.
    const pool = await one.database.pool();
    await pool.query('delete from shared_documents');
    using _following = one.documents.follow(() => {});
    await expect.poll(() => countOf(one).data.names).toEqual([]);
  });

  test('a host that follows gets what others approve of servers, and loses what they take back', async () => {
    const url = await postgresUrl();
    const [one, other] = [hostOf(url), hostOf(url)];
    const pinsOf = ({ folder, documents }: Host) => openPinStore(join(folder, 'pins/mcp'), documents);
    using _following = other.documents.follow(() => {});
    const pin = { hash: 'h', definition: { name: 'add' } };
    const seen = '2026-01-01T00:00:00.000Z';
    await pinsOf(one).update('calc.x', () => ({ seen, tools: new Map([['add', pin]]) }));
    await expect.poll(() => pinsOf(other).get('calc.x')?.tools.get('add')).toEqual(pin);
    await pinsOf(one).update('calc.x', () => ({ seen, tools: new Map() }));
    await expect.poll(() => pinsOf(other).get('calc.x')?.tools.size).toBe(0);
  });

  test('a login is sealed, known to all, and renewed by one host at a time', async () => {
    const url = await postgresUrl();
    const [one, other] = [hostOf(url), hostOf(url)];
    const target = { url: new URL('https://example.com/mcp'), clientId: undefined };
    const loginOf = ({ folder, documents }: Host, passphrase: string | undefined): OAuthStore =>
      openOAuthStore(
        {
          folder: join(folder, 'logins'),
          documents,
          sealing: {
            passphrase,
            check: () =>
              passphrase === undefined ? Promise.reject(new Error('no passphrase')) : Promise.resolve(),
          },
        },
        'calc',
        target,
        () => {},
      );
    const tokens = (token: string) => ({ tokens: { access_token: token, token_type: 'Bearer' } });
    await expect(loginOf(one, undefined).update(tokens('first'))).rejects.toThrow('no passphrase');
    const [here, there] = [loginOf(one, 'horse'), loginOf(other, 'horse')];
    await here.update(tokens('first-token-4711'));
    expect(readFileSync(join(one.folder, 'logins/calc.json'), 'utf8')).not.toContain('first-token');
    let renewals = 0;
    const renew = (store: OAuthStore) =>
      store.locked(async () => {
        if (store.reload()) return;
        await store.update(tokens(`renewed-${++renewals}`));
      });
    await other.documents.refresh();
    there.reload();
    await Promise.all([renew(here), renew(there)]);
    expect(renewals).toBe(1);
    for (const store of [here, there]) expect(store.state.tokens?.access_token).toBe('renewed-1');
    expect(loginOf(other, 'another').state).toEqual({});
  });

  test('what one host got from elsewhere is from elsewhere on all, and nobody else can say that it is gone', async () => {
    const url = await postgresUrl();
    const [one, other] = [hostOf(url), hostOf(url)];
    await using home = await createHome();
    await using clone = await createHome();
    const web = { kind: 'web', what: 'https://example.com/' } as const;
    const here = createFileOrigins(home.path, processSurroundings(), one);
    const there = createFileOrigins(clone.path, processSurroundings(), other);
    const note = await home.write('spaces/x/note.txt', 'x');
    const second = await home.write('spaces/x/second.txt', 'x');
    await Promise.all([here.note(note, web), here.note(second, web)]);
    await other.documents.refresh();
    expect(there.of(join(clone.path, 'spaces/x/other.txt'))).toBeUndefined();
    expect(there.of(join(clone.path, 'spaces/x/note.txt'))).toMatchObject(web);
    const own = await clone.write('own.txt', 'x');
    await there.note(own, web);
    await one.documents.refresh();
    expect(here.of(note)).toMatchObject(web);
    await rename(note, join(home.path, 'moved.txt'));
    expect(here.of(join(home.path, 'moved.txt'))).toMatchObject(web);
    expect(here.within(join(home.path, 'spaces/x'))).toMatchObject(web);
    expect(readFileSync(join(one.folder, 'file-origins.json'), 'utf8')).not.toContain(home.path);
  });
});
