import { afterAll, beforeAll, expect, test } from 'vitest';
import { servePage, type ServedPage } from '../../kit/web/served-page.ts';
import { addToGraph } from '../../../plugins/builtin-core/memory/graph/graph-store.ts';
import type { MemoryTables } from '../../../plugins/builtin-core/memory/tables.ts';
import { databaseOf } from '../../kit/database.ts';
import type { Kysely } from 'kysely';

let page: ServedPage;
beforeAll(async () => {
  page = await servePage();
});
afterAll(() => page[Symbol.asyncDispose]());

interface Rows {
  readonly rows: readonly { readonly [member: string]: unknown }[];
  readonly entries: readonly { readonly at: string }[];
  readonly note?: string;
}

const rowsOf = async (screen: string, query = ''): Promise<Rows> => {
  const { status, body } = await page.ask(`screen-rows/builtin-core/${screen}${query}`);
  expect(status).toBe(200);
  return body;
};
const act = async (screen: string, action: string, row: unknown): Promise<number> => {
  const answer = await page.ask(`screen-action/builtin-core/${screen}/${action}`, { body: { row } });
  return answer.status;
};
const call = async (name: string, args: object): Promise<void> => {
  const { error } = await page.host.dispatch({
    name,
    args,
    scope: page.host.scopeFor(undefined),
    caller: 'cli',
  });
  expect(error).toBeUndefined();
};

test('schedules show when they run next and in the days to come, and can be paused, resumed, run and cancelled', async () => {
  await call('scheduler.schedule', { instruction: 'Look at the mail', cron_expression: '0 9 * * *' });
  const { rows, entries, note } = await rowsOf('schedules');
  expect(rows).toMatchObject([{ id: 1, text: 'Look at the mail', status: 'active', lastRun: null }]);
  expect(entries.length).toBeGreaterThanOrEqual(27);
  expect(entries[0]!.at).toBe(rows[0]!['next']);
  expect(note).toContain('No host is running');
  expect(await act('schedules', 'pause', 1)).toBe(200);
  expect(await rowsOf('schedules')).toMatchObject({ rows: [{ status: 'paused', next: null }], entries: [] });
  expect(await act('schedules', 'run', 1)).toBe(422);
  expect(await act('schedules', 'resume', '1')).toBe(200);
  expect(await act('schedules', 'run', 1)).toBe(200);
  expect(await rowsOf('schedules')).toMatchObject({
    rows: [{ asked_at: expect.stringContaining('T') as string }],
  });
  expect(await act('schedules', 'cancel', 1)).toBe(200);
  expect((await rowsOf('schedules')).rows).toEqual([]);
});

test('watchers are paused, resumed and stopped, and their history is read', async () => {
  await call('watchers.watch_start', { files: 'docs/*.md', instruction: 'Say so.' });
  expect((await rowsOf('watchers')).rows).toMatchObject([
    { id: 1, state: 'active', watches: 'files docs/*.md' },
  ]);
  expect(await act('watchers', 'pause', 1)).toBe(200);
  expect((await rowsOf('watchers')).rows).toMatchObject([{ state: 'paused' }]);
  expect(await act('watchers', 'resume', 1)).toBe(200);
  expect(await page.ask('screen-detail/builtin-core/watchers?row=1')).toMatchObject({
    body: { data: { entries: [] } },
  });
  expect(await act('watchers', 'stop', 1)).toBe(200);
  expect((await rowsOf('watchers')).rows).toEqual([]);
  expect(await act('watchers', 'stop', 7)).toBe(422);
});

test('a memory is found, linked and explained, and what goes along is shown before it is forgotten', async () => {
  await call('core.memory_store', { content: 'Anna works at Acme', tags: ['people'] });
  await call('core.memory_store', { content: 'The cellar key hangs behind the door' });
  const database = databaseOf(page.home);
  await addToGraph((await database.open()) as unknown as Kysely<MemoryTables>, 1, {
    entities: [
      { name: 'Anna', kind: 'person' },
      { name: 'Acme', kind: 'company' },
    ],
    relations: [{ from: 'Anna', relation: 'works at', to: 'Acme' }],
  });
  await database[Symbol.asyncDispose]();
  expect((await rowsOf('memory')).rows).toMatchObject([
    { id: 2 },
    { id: 1, tags: ['people'], fromOthers: false },
  ]);
  expect((await rowsOf('memory', '?q=cellar')).rows).toMatchObject([{ id: 2 }]);
  expect(await page.ask('screen-graph/builtin-core/memory')).toMatchObject({
    body: {
      nodes: [{ name: 'Acme' }, { name: 'Anna', kind: 'person' }],
      edges: [{ relation: 'works at', memory: 1 }],
    },
  });
  const preview = () => page.ask('screen-preview/builtin-core/memory/forget?row=1');
  expect(await preview()).toMatchObject({
    body: { data: { memories: [{ id: 1 }], relations: [{ says: 'Anna → works at → Acme' }] } },
  });
  expect((await rowsOf('memory')).rows).toHaveLength(2);
  expect(await act('memory', 'forget', 1)).toBe(200);
  expect((await rowsOf('memory')).rows).toMatchObject([{ id: 2 }]);
  expect(await preview()).toMatchObject({ body: { data: { memories: [], relations: [] } } });
  expect(await page.ask('screen-graph/builtin-core/memory')).toMatchObject({
    body: { nodes: [], edges: [] },
  });
});
