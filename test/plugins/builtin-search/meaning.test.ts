import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PegboardError } from '../../../host/core/errors.ts';
import { createLogger, silentLogger } from '../../../host/core/log.ts';
import type { Embedder } from '../../../plugins/builtin-search/vectors/embedder.ts';
import { createToolSearch } from '../../../plugins/builtin-search/search-tools.ts';
import { createMemoryVectorCache } from '../../../plugins/builtin-search/vectors/vector-cache.ts';
import type { VectorCache } from '../../../host/api/store/vectors.ts';
import { createRegistry } from '../../../host/tools/registry.ts';
import { echoTool, memorySource } from '../../kit/source.ts';

/** Meanings of words: one direction per line. Other words have none. */
const meanings = [
  'drizzle rain forecast weather',
  'car garage vehicle',
  'song melody music',
  'croissant bakery food',
].map((line) => line.split(' '));

/** An embedder that knows synonyms which aren't in our lists; can be made to wait or fail. */
function knowingEmbedder() {
  const asked: string[][] = [];
  const state: { gate: Promise<void> | undefined; failure: Error | undefined } = {
    gate: undefined,
    failure: undefined,
  };
  const embedder: Embedder = {
    model: 'fake',
    async embed(texts) {
      asked.push([...texts]);
      await state.gate;
      if (state.failure) throw state.failure;
      return texts.map(vectorOf);
    },
  };
  return { embedder, asked, state };
}

function vectorOf(text: string): Float32Array {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = meanings.map((group) => words.filter((word) => group.includes(word)).length);
  return Float32Array.from([...counts, 0.1]);
}

const tools = [
  echoTool({ name: 'forecast', description: 'The weather of the next days' }),
  echoTool({ name: 'park', description: 'Opens the garage' }),
  echoTool({ name: 'play', description: 'Plays music' }),
  ...Array.from({ length: 20 }, (_, at) => echoTool({ name: `other_${at}`, description: `Number ${at}` })),
];

async function searching(embedder: Embedder, parts: { cache?: VectorCache; log?: typeof silentLogger } = {}) {
  const registry = createRegistry(silentLogger);
  const source = memorySource(tools, { module: 'home' });
  await registry.add(source);
  const closing = new AbortController();
  const search = createToolSearch(() => registry.snapshot, {
    embedder,
    log: silentLogger,
    signal: closing.signal,
    ...parts,
  });
  const find = async (text: string): Promise<string[]> =>
    (await search(text, 3)).filter(({ nearest }) => !nearest).map(({ tool }) => tool.name);
  return { registry, source, search, find, closing };
}

/** Waits for the vectors of all tools: each query requests them, none waits. */
async function untilFound(find: (text: string) => Promise<string[]>, text: string): Promise<string[]> {
  for (;;) {
    const found = await find(text);
    if (found.length > 0) return found;
    await setImmediate();
  }
}

test('what no word matches is found by its meaning', async () => {
  const { find } = await searching(knowingEmbedder().embedder);
  expect(await untilFound(find, 'will I need an drizzle')).toEqual(['forecast']);
  expect(await find('melody')).toEqual(['play']);
});

test('what means nothing that a tool does is still not found', async () => {
  const { find } = await searching(knowingEmbedder().embedder);
  await untilFound(find, 'drizzle');
  expect(await find('sudoku')).toEqual([]);
});

test('of what is not there the three that mean the most alike are named, and one called by its name is first', async () => {
  const { search, find } = await searching(knowingEmbedder().embedder);
  await untilFound(find, 'drizzle');
  const refused = await search('sudoku', 3);
  expect(refused.map(({ nearest }) => nearest)).toEqual([true, true, true]);
  expect((await find('forecast `other_7`'))[0]).toBe('other_7');
});

test('words count as well as the meaning', async () => {
  const { find } = await searching(knowingEmbedder().embedder);
  await untilFound(find, 'drizzle');
  const found = await find('play music in the car');
  expect(found.slice(0, 2)).toEqual(['play', 'park']);
});

test('a query never waits for the vectors of tools: until they are there, words alone decide', async () => {
  const fake = knowingEmbedder();
  const { promise, resolve } = Promise.withResolvers<void>();
  fake.state.gate = promise;
  const { find } = await searching(fake.embedder);
  expect(await find('drizzle')).toEqual([]);
  expect(await find('music')).toEqual(['play']);
  resolve();
  expect(await untilFound(find, 'drizzle')).toEqual(['forecast']);
});

test('each text is embedded once, in requests of at most a hundred, also over several searches', async () => {
  const cache = createMemoryVectorCache();
  const first = knowingEmbedder();
  const one = await searching(first.embedder, { cache });
  await untilFound(one.find, 'drizzle');
  await one.find('drizzle');
  expect(first.asked.map((texts) => texts.length)).toEqual([23, 1]);

  const second = knowingEmbedder();
  const two = await searching(second.embedder, { cache });
  await untilFound(two.find, 'drizzle');
  expect(second.asked.map((texts) => texts.length)).toEqual([1]);
});

test('after a change only what is new is embedded', async () => {
  const fake = knowingEmbedder();
  const { find, source, registry } = await searching(fake.embedder);
  await untilFound(find, 'drizzle');
  const changed = new Promise<void>((resolve) => registry.onChange(() => resolve()));
  source.change({ tools: [...tools, echoTool({ name: 'bake', description: 'Finds a bakery' })] });
  await changed;
  expect(await untilFound(find, 'croissant')).toEqual(['bake']);
  expect(fake.asked.map((texts) => texts.length)).toEqual([23, 1, 1, 1]);
});

test('when embeddings fail, words alone decide, and it is reported once', async () => {
  const said: string[] = [];
  const log = createLogger(({ level, message }) => void said.push(`${level}: ${message}`));
  const fake = knowingEmbedder();
  fake.state.failure = new PegboardError('PEG_MODEL_REFUSED', 'The key is wrong.');
  const { find } = await searching(fake.embedder, { log });
  for (let time = 0; time < 5; time++) {
    expect(await find('music')).toEqual(['play']);
    await setImmediate();
  }
  expect(said).toEqual([
    'warn: Tools are searched only by their words, because embeddings failed. The key is wrong.',
  ]);
  expect(fake.asked).toHaveLength(1);
});

test('nothing more is asked for after the host has closed', async () => {
  const fake = knowingEmbedder();
  const { find, closing } = await searching(fake.embedder);
  closing.abort();
  expect(await find('music')).toEqual(['play']);
  await setImmediate();
  expect(fake.asked).toEqual([]);
});
