import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPostgresDatabase } from '../../../../host/store/database/postgres/database.ts';
import { createSharedArtifacts, deleteOldestRows } from '../../../../host/store/files/shared-artifacts.ts';
import { describePostgres, postgresUrl } from '../../../kit/postgres.ts';

describePostgres('artifacts that hosts share', () => {
  test('are read on any host, until the room or their time is over', async () => {
    const url = await postgresUrl();
    await using one = createPostgresDatabase(url);
    await using other = createPostgresDatabase(url);
    const limits = { bytes: 25, ageMs: 60_000 };
    const artifacts = createSharedArtifacts(one, limits);
    const ids: string[] = [];
    for (const text of ['äöü😀xyz', '0123456789', 'abcdefghij']) {
      ids.push(await artifacts.write(text));
      await delay(2);
    }
    const there = createSharedArtifacts(other);
    expect(await there.read(ids[1]!, 3, 4)).toEqual({ text: '3456', offset: 3, total: 10 });
    await expect(there.read(ids[0]!, 0, 1)).rejects.toMatchObject({ code: 'PEG_NO_ARTIFACT' });
    await expect(there.read("'; drop table artifacts", 0, 1)).rejects.toMatchObject({
      code: 'PEG_NO_ARTIFACT',
    });
    const now = Date.now() + limits.ageMs + 1_000;
    expect(await deleteOldestRows(await one.open(), 0, { limits, now })).toBe(2);
  });
});
