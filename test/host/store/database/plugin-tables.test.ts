import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDatabase } from '../../../../host/store/database/database.ts';
import { createPluginTables } from '../../../../host/store/database/plugin-tables.ts';
import { startScriptedModel } from '../../../../host/testing/index.ts';
import { configFor } from '../../../kit/homes/agent-home.ts';
import { pegboard } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';

interface Tables {
  readonly dice: { readonly thrown: number };
}

test("tables of a plugin wait for the process's own writing, and hold nothing up meanwhile", async () => {
  await using home = await createHome();
  await using database = createDatabase(join(home.path, 'data/pegboard.db'));
  const shared = await database.open();
  const tables = createPluginTables<Tables>(database, 'dice', ['create table dice (thrown integer) strict']);
  const writing = await shared.startTransaction().execute();
  await writing.deleteFrom('conversations').execute();
  const opening = tables.open();
  // Several turns of the loop, in which a writer that waits as SQLite does would stand still.
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
  await writing.commit().execute();
  const own = await opening;
  await own.insertInto('dice').values({ thrown: 6 }).execute();
  expect(await own.selectFrom('dice').selectAll().execute()).toEqual([{ thrown: 6 }]);
});

test('the first turn of a new home stores a memory and writes a file at once', async () => {
  await using model = await startScriptedModel(({ messages }) =>
    messages.some((message) => (message as { role: string }).role === 'tool')
      ? { text: 'both done' }
      : {
          toolCalls: [
            { name: 'memory_store', arguments: { content: 'Ada likes tea' } },
            { name: 'WsWrite', arguments: { path: 'tea.md', content: 'Earl Grey' } },
          ],
        },
  );
  await using home = await createHome({ 'pegboard.yaml': configFor(model) });
  expect(await pegboard(['chat', 'remember it'], { home: home.path })).toMatchObject({
    code: 0,
    stdout: 'both done\n',
    stderr: expect.not.stringContaining('PEG_') as string,
  });
  expect(await readFile(join(home.path, 'workspace/tea.md'), 'utf8')).toBe('Earl Grey');
});
