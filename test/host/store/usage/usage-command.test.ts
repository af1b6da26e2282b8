import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createUsage } from '../../../../host/store/usage/usage.ts';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome, createUnusedHome, type TestHome } from '../../../kit/homes/home.ts';
import { databaseOf, isOnPostgres } from '../../../kit/database.ts';

async function useModels(home: TestHome): Promise<string> {
  await using database = databaseOf(home);
  const usage = createUsage(database);
  const entry = { agent: 'example', model: 'openai/gpt-5', source: 'cli' };
  await usage.record({ ...entry, usage: { input: 12_000, output: 300, cached: 9_000, cost: 0.0123 } });
  await usage.record({ ...entry, usage: { input: 1_000, output: 100, cost: 1.5 } });
  await usage.record({ ...entry, agent: 'other', model: 'ollama/llama', usage: { input: 50, output: 5 } });
  return usage.today();
}

test('pegboard usage shows calls, tokens and cost, and says what is not priced', async () => {
  await using home = await createHome();
  await useModels(home);
  const { code, stdout, stderr } = await pegboard(['usage', '--by', 'model'], { home: home.path });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: '1 of the calls went to models with unknown prices.\n',
  });
  expect(stdout.split('\n').map((line) => line.split(/\s+/))).toEqual([
    ['MODEL', 'CALLS', 'INPUT', 'CACHED', 'OUTPUT', 'COST'],
    ['openai/gpt-5', '2', '13,000', '9,000', '400', '$1.51'],
    ['ollama/llama', '1', '50', '0', '5', '?'],
    ['total', '3', '13,050', '9,000', '405', '$1.51'],
    [''],
  ]);
});

test('pegboard usage --json has the range and the sums, of one agent if asked', async () => {
  await using home = await createHome();
  const today = await useModels(home);
  const printed = await pegboardJson(['usage', '--days', '1', '--agent', 'other'], { home: home.path });
  const sum = { calls: 1, input: 50, cached: 0, output: 5, cost: 0, unpriced: 1 };
  expect(printed).toEqual({
    from: today,
    to: today,
    by: 'day',
    lines: [{ name: today, ...sum }],
    total: sum,
  });
});

test('in a home where nothing was used it says so, and makes no database', async () => {
  await using home = await createUnusedHome();
  const { code, stdout, stderr } = await pegboard(['usage'], { home: home.path });
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toMatch(/^No model was used from \d{4}-\d\d-\d\d to /);
  expect(existsSync(join(home.path, 'data'))).toBe(false);
});

test.for([
  [['--by', 'modle'], '--by takes day, model, agent, source, not "modle". Did you mean model?'],
  [['--days', '0'], '--days takes a whole number above 0'],
] as const)('pegboard usage %j is a mistake that is explained', async ([args, message]) => {
  await using home = await createHome();
  const { code, stderr } = await pegboard(['usage', ...args], { home: home.path });
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test.skipIf(isOnPostgres)('a damaged database is one readable paragraph', async () => {
  await using home = await createUnusedHome({ 'data/pegboard.db': 'once upon a time '.repeat(500) });
  const { code, stderr } = await pegboard(['usage'], { home: home.path });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: The database .*pegboard\.db is damaged .*Nothing was changed.*\n$/);
});
