import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { textOf } from '../../../../host/tools/result.ts';
import { openPluginHome, type PluginHome } from '../../../kit/homes/plugin-home.ts';
import { wordEmbedder } from './kit/embedder.ts';

const store = async (home: PluginHome, content: string, more: object = {}): Promise<number> => {
  const result = await home.call('memory_store', { content, ...more });
  expect(result.error).toBeUndefined();
  return (result.structured as { id: number }).id;
};
const recalled = async (home: PluginHome, query: string, more: object = {}): Promise<readonly string[]> => {
  const result = await home.call('memory_recall', { query, ...more });
  expect(result.error).toBeUndefined();
  return (result.structured as { memories: { content: string }[] }).memories.map(({ content }) => content);
};

describe('without a model', () => {
  test('what was stored is found by its words, in other forms too, and nothing else is', async () => {
    await using home = await openPluginHome();
    await store(home, 'Anna is allergic to hazelnuts', { category: 'fact', tags: ['health'] });
    await store(home, 'The user ran the Berlin marathon', { category: 'event' });
    expect(await recalled(home, 'What are her allergies? Is Anna allergic?')).toEqual([
      'Anna is allergic to hazelnuts',
    ]);
    expect(await recalled(home, 'marathons that I run')).toEqual(['The user ran the Berlin marathon']);
    expect(await recalled(home, 'health')).toEqual(['Anna is allergic to hazelnuts']);
    const nothing = await home.call('memory_recall', { query: 'quantum chromodynamics' });
    expect(textOf(nothing)).toBe('Nothing is remembered about that.');
  });

  test('what nobody sees is neither stored nor shown, of older rows either', async () => {
    await using home = await openPluginHome();
    const hidden = '\u200b\u202e\u{e0041}\u{e0042}\ufeff\u001b[8m';
    const tagged = { category: `fa${hidden}ct`, tags: [`he${hidden}alth`, hidden] };
    const id = await store(home, `Anna is ${hidden}allergic to nuts 👩‍👩‍👧`, tagged);
    const clean = { content: 'Anna is allergic to nuts 👩‍👩‍👧', category: 'fact', tags: ['health'] };
    const database = new DatabaseSync(home.path('data/pegboard.db'));
    const row = () =>
      database.prepare('select content, category, tags from memory_memories where id = ?').get(id);
    expect(row()).toMatchObject({ ...clean, tags: '["health"]' });
    expect((await home.call('memory_store', { content: hidden })).error?.message).toContain(
      'no visible text',
    );
    expect(await store(home, 'Anna is allergic to nuts 👩‍👩‍👧', { category: 'fact' })).toBe(id);

    database
      .prepare('update memory_memories set content = ?, tags = ? where id = ?')
      .run(`Anna ${hidden}is allergic`, JSON.stringify([`he${hidden}alth`]), id);
    database.close();
    const found = await home.call('memory_recall', { query: 'Anna allergic' });
    expect(found.structured).toMatchObject({ memories: [{ content: 'Anna is allergic', tags: ['health'] }] });
    expect(textOf(found)).toContain('Anna is allergic [health]');
  });

  test.each([
    'the of and',
    'what is it?',
    'und der die',
    'wer bin ich',
    'est-ce que c’est le',
    'qué es esto',
    'o que é isso',
    'che cosa è',
    'что это такое',
    'は の を',
    'それはなに？',
    '这是什么',
    '이것은 무엇',
    'ما هذا',
  ])('"%s" has no word of content, and finds nothing', async (question) => {
    await using home = await openPluginHome();
    await store(home, 'The end of it and of that: what is left is in the und-der-die folder');
    await store(home, 'wer ist der, und was ist die; est-ce que c’est le chat; qué es; o que é; che cosa è');
    await store(home, 'что это такое; それはなに、猫の名は玉、魚を食べる; 这是什么; 이것은 무엇; ما هذا');
    expect(await recalled(home, question)).toEqual([]);
    expect(textOf(await home.call('memory_recall', { query: question }))).toBe(
      'Nothing is remembered about that.',
    );
  });

  test.each([
    ['Who is Will?', 'Will is the plumber'],
    ['son', 'My son plays chess'],
    ['Did they die?', 'The roses die in winter'],
    ['wo ist die Leiter', 'Die Leiter steht im Keller'],
    ['猫は何を食べる', '猫は魚を食べる'],
  ])('"%s" has one', async (question, memory) => {
    await using home = await openPluginHome();
    await store(home, memory);
    await store(home, 'Where it is, and what they did: wo ist es, das ist es');
    expect(await recalled(home, question)).toEqual([memory]);
  });

  test('a part of a word finds it, and so do languages without spaces', async () => {
    await using home = await openPluginHome();
    await store(home, 'Die Wohnungsbaugesellschaft heißt Degewo');
    await store(home, '我的猫叫咪咪,喜欢吃鱼');
    await store(home, '100% of the backups go to C:\\backup_new');
    expect(await recalled(home, 'baugesellschaft')).toEqual(['Die Wohnungsbaugesellschaft heißt Degewo']);
    expect(await recalled(home, '猫叫什么')).toEqual(['我的猫叫咪咪,喜欢吃鱼']);
    expect(await recalled(home, 'ackup_n')).toEqual(['100% of the backups go to C:\\backup_new']);
  });

  test('signs that mean something to a search engine are only text', async () => {
    await using home = await openPluginHome();
    await store(home, 'The password policy wants "quotes" AND (brackets) NEAR* ^here: col:umn -minus');
    for (const query of [
      '"',
      '""quotes',
      'AND OR NOT',
      'NEAR(',
      'content:quotes',
      '%',
      "'; drop table memories",
      '*',
    ])
      expect((await home.call('memory_recall', { query })).error).toBeUndefined();
    expect(await recalled(home, 'quotes" OR "x')).toHaveLength(1);
  });

  test('category and tags narrow what is found', async () => {
    await using home = await openPluginHome();
    await store(home, 'Coffee without sugar', { category: 'preference', tags: ['drink', 'morning'] });
    await store(home, 'Coffee machine broke in March', { category: 'event', tags: ['kitchen'] });
    expect(await recalled(home, 'coffee', { category: 'Preference' })).toEqual(['Coffee without sugar']);
    expect(await recalled(home, 'coffee', { tags: ['kitchen'] })).toEqual(['Coffee machine broke in March']);
    expect(await recalled(home, 'coffee', { tags: ['kitchen', 'morning'] })).toEqual([]);
  });

  test('the very same is stored once; with new labels it takes the place of the old one', async () => {
    await using home = await openPluginHome();
    const first = await store(home, 'Likes jazz', { category: 'preference' });
    expect(await store(home, 'likes jazz', { category: 'preference' })).toBe(first);
    const second = await store(home, 'Likes jazz', { category: 'preference', tags: ['music'] });
    expect(second).not.toBe(first);
    expect(await recalled(home, 'jazz')).toEqual(['Likes jazz']);
  });
});

describe('a memory that is no longer true', () => {
  test('is not found any more once another one took its place, and cannot be superseded twice', async () => {
    await using home = await openPluginHome();
    const old = await store(home, 'Lives in Hamburg');
    const now = await store(home, 'Lives in Leipzig since May', { supersedes: old });
    expect(await recalled(home, 'Where does the user live? Hamburg or Leipzig?')).toEqual([
      'Lives in Leipzig since May',
    ]);
    const again = await home.call('memory_store', { content: 'Lives in Bonn', supersedes: old });
    expect(again.error).toMatchObject({
      code: 'PEG_INVALID_ARGUMENTS',
      message: expect.stringContaining(
        `Memory ${now} has already taken the place of memory ${old}`,
      ) as string,
    });
  });

  test('leaves its category and tags to the one that takes its place, unless that brings its own', async () => {
    await using home = await openPluginHome();
    const old = await store(home, 'Coffee black', { category: 'preference', tags: ['drink'] });
    const now = await store(home, 'Coffee with milk', { supersedes: old });
    const recall = async (): Promise<unknown> =>
      (await home.call('memory_recall', { query: 'coffee' })).structured;
    expect(await recall()).toMatchObject({
      memories: [{ id: now, category: 'preference', tags: ['drink'] }],
    });
    await store(home, 'Coffee at noon only', { supersedes: now, tags: ['time'] });
    expect(await recall()).toMatchObject({ memories: [{ category: 'preference', tags: ['time'] }] });
    await store(home, 'Has a dog');
    expect((await home.call('memory_recall', { query: 'dog' })).structured).toMatchObject({
      memories: [{ category: 'note', tags: [] }],
    });
  });

  test('is found by another word of the same root', async () => {
    await using home = await openPluginHome();
    await store(home, 'Anna is allergic to nuts');
    expect(await recalled(home, "Anna's allergies", { messages: false })).toEqual([
      'Anna is allergic to nuts',
    ]);
    expect(await recalled(home, 'which allergies are there?')).toEqual(['Anna is allergic to nuts']);
  });

  test('is not found after the moment from which it is not worth remembering', async () => {
    await using home = await openPluginHome();
    await store(home, 'Parking ticket in row 7', { expires_at: 'in 2 hours' });
    await store(home, 'Parking space 12 is ours', { expires_at: 'in 2 days' });
    expect(await recalled(home, 'parking')).toHaveLength(2);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 60 * 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await recalled(home, 'parking')).toEqual(['Parking space 12 is ours']);
    const past = await home.call('memory_store', { content: 'x', expires_at: '2020-01-01' });
    expect(past.error?.code).toBe('PEG_INVALID_ARGUMENTS');
  });
});

describe('forgetting', () => {
  test('by a query shows candidates and forgets nothing; by number it does', async () => {
    await using home = await openPluginHome();
    const id = await store(home, 'The door code is 4711');
    const asked = await home.call('memory_forget', { query: 'door code' });
    expect(textOf(asked)).toContain(`#${id} (note) The door code is 4711`);
    expect(await recalled(home, 'door')).toHaveLength(1);
    expect(textOf(await home.call('memory_forget', { id }))).toBe(`Forgot #${id}.`);
    expect(await recalled(home, 'door code 4711')).toEqual([]);
    expect(textOf(await home.call('memory_forget', { id }))).toBe(`#${id} was forgotten before.`);
  });

  test('wants one of the two, and a number that exists', async () => {
    await using home = await openPluginHome();
    for (const args of [{}, { id: 1, query: 'x' }, { id: 99 }])
      expect((await home.call('memory_forget', args)).error?.code).toBe('PEG_INVALID_ARGUMENTS');
  });
});

describe('with embeddings', () => {
  test('what means the same is found without a common word, with how well it matches', async () => {
    const embedder = wordEmbedder({ automobile: 'car', vehicle: 'car' });
    await using home = await openPluginHome({ services: { embed: embedder.embed } });
    await store(home, 'bought a red automobile');
    await embedder.called(1);
    await expect.poll(() => recalled(home, 'which vehicle')).toEqual(['bought a red automobile']);
    const result = await home.call('memory_recall', { query: 'which vehicle' });
    expect(textOf(result)).toMatch(/^Memories:\n#1 \(note\) bought a red automobile, .* \(\d\d% match\)/);
    expect(await recalled(home, 'something else altogether')).toEqual([]);
  });

  test('storing does not wait for them, and works while they fail', async () => {
    const embed = (): Promise<never> => Promise.reject(new Error('scripted failure'));
    await using home = await openPluginHome({
      services: { embed: (texts) => (texts[0] === 'tea' ? Promise.resolve(undefined) : embed()) },
    });
    await store(home, 'Drinks green tea');
    expect(await recalled(home, 'tea')).toEqual(['Drinks green tea']);
  });
});
