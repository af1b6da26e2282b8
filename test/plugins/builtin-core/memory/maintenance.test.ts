import { describe, expect, test } from 'vitest';
import { openPluginHome } from '../../../kit/homes/plugin-home.ts';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { wordEmbedder } from './kit/embedder.ts';
import { havePast } from './kit/past.ts';
import { coreOf, runCommand, turnOf } from './kit/turn.ts';
import { scriptedWorker } from './kit/worker.ts';

describe('pegboard memory reembed', () => {
  test('rebuilds every vector, and continues an interrupted run', async () => {
    let fails = false;
    let model = wordEmbedder();
    const embed = async (texts: readonly string[]) => {
      if (fails && texts.some((text) => text.includes('number 40'))) return undefined;
      return await model.embed(texts);
    };
    await using home = await openPluginHome({ services: { embed } });
    for (let at = 0; at < 50; at++) await home.call('memory_store', { content: `Thing number ${at}` });
    await model.called(50);
    const similar = async () =>
      (
        (await home.call('memory_recall', { query: 'an automobile', messages: false })).structured as {
          memories: object[];
        }
      ).memories.length;
    fails = true;
    model = wordEmbedder({ automobile: 'thing' });
    await expect(runCommand(home, 'memory reembed')).rejects.toThrow(
      /Embeddings are not available.*32 of 50 are done; the next run goes on from there/,
    );
    fails = false;
    const { text, progress } = await runCommand(home, 'memory reembed');
    expect(text).toBe('Embedded 18 memories anew.');
    expect(progress).toEqual(['embedding memories 18/18']);
    expect(await similar()).toBe(10);
  });

  test('says what is missing where there are no embeddings', async () => {
    await using home = await openPluginHome();
    await home.call('memory_store', { content: 'x' });
    await expect(runCommand(home, 'memory reembed')).rejects.toThrow('set EMBEDDING_MODEL');
  });
});

describe('pegboard memory backfill', () => {
  test('does for old conversations what turns do, once', async () => {
    const worker = scriptedWorker({
      observe: [{ text: 'Kim plays the cello', priority: 'high' }],
      graph: { 1: { entities: [{ name: 'Kim', kind: 'person' }], relations: [] } },
    });
    await using home = await openPluginHome(worker);
    const long = 'I play the cello. '.repeat(1000);
    const conversation = await havePast(home.home, [
      [long, 'Nice'],
      ['And you?', 'I do not.'],
    ]);
    const { document, progress } = await runCommand(home, 'memory backfill', [], { json: true });
    expect(document).toEqual({ conversations: 1, worker: true });
    expect(progress).toContain('observing conversations 1/1');
    expect(progress).toContain('extending the graph 1/1');
    expect(await coreOf(home).turn.history!(turnOf('', conversation))).toMatchObject({
      prefix: '- (!) Kim plays the cello',
    });
    const asked = worker.asked.length;
    await runCommand(home, 'memory backfill');
    expect(worker.asked).toHaveLength(asked);
  });

  test('without a worker model indexes messages and says what is missing', async () => {
    await using home = await openPluginHome({ environment: {} });
    await havePast(home.home, [['The wifi is called Nebula', 'Noted']]);
    expect((await runCommand(home, 'memory backfill')).text).toBe(
      'Read 1 conversation. No notes were made of it: set MEMORY_WORKER_MODEL to a model that may read conversations.',
    );
  });
});

test('pegboard memory lists, explains and forgets, in the terminal and as JSON', async () => {
  await using home = await createHome();
  const at = { home: home.path };
  const stored = await pegboard(['call', 'memory_store', 'content=Kim plays the cello', 'category=fact'], at);
  expect(stored).toMatchObject({ code: 0, stdout: expect.stringContaining('Remembered as #1.') as string });
  expect(await pegboardJson(['memory', 'list'], at)).toMatchObject({
    memories: [{ id: 1, category: 'fact' }],
  });
  const { stdout } = await pegboard(['memory', 'why', '#1'], at);
  expect(stdout).toMatch(/^#1 \(fact\) Kim plays the cello, .*\nstored because somebody asked for it/);
  expect((await pegboard(['memory', 'forget', '1'], at)).stdout).toBe('Forgot #1.\n');
  const unknown = await pegboard(['memory', 'why', '7'], at);
  expect(unknown).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no memory #7') as string,
  });
});
