import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome, manifest } from '../../../kit/homes/home.ts';

interface Shown {
  readonly id: string;
  readonly score: number;
  readonly nearest?: true;
}
const files = {
  'spaces/bakery/agent/tools/bake.md': manifest('bake', 'tags: [bread]\ncommand: echo bread'),
};

test.each([
  'Book a luxury room',
  'Could you feed the cat at six while I am on the train?',
  'What are some good educational activities for a two-year-old?',
  'Translate this contract into Portuguese for my lawyer',
  'pizza',
  'fly me to the moon',
  'flibberty gibbet',
  'Kaffee kochen',
  '天気予報',
  'रसोई की घड़ी',
  '🍕',
])('"%s": nothing matches, and three are named as the nearest', async (request) => {
  await using home = await createHome(files);
  const { code, stdout } = await pegboard(['search', request], { home: home.path });
  expect(code).toBe(0);
  expect(stdout).toContain(`No tool matches "${request}".`);
  const found = await pegboardJson<Shown[]>(['search', request], { home: home.path });
  expect(found).toHaveLength(3);
  expect(found.every(({ nearest }) => nearest)).toBe(true);
});

test('what matches is listed without further words', async () => {
  await using home = await createHome(files);
  const { stdout } = await pegboard(['search', 'bake bread'], { home: home.path });
  expect(stdout).toMatch(/^TOOL.*\nbakery\.bake/);
  const found = await pegboardJson<Shown[]>(['search', 'bake bread'], { home: home.path });
  expect(found[0]).toMatchObject({ id: 'bakery.bake', score: 1 });
  expect(found[0]).not.toHaveProperty('nearest');
});

test('a request that names a space or a tool is always answered', async () => {
  await using home = await createHome(files);
  for (const request of ['ask the bakery about philosophy', 'memory_store the history of opera houses']) {
    const { stdout } = await pegboard(['search', request], { home: home.path });
    expect(stdout).not.toContain('No tool matches');
  }
});
