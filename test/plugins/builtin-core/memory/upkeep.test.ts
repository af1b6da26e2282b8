import { describe, expect, test } from 'vitest';
import type { PluginServices } from '../../../../host/plugins/context.ts';
import { createHistory } from '../../../../host/store/conversations/history.ts';
import { createPluginTables } from '../../../../host/store/database/plugin-tables.ts';
import { textOf } from '../../../../host/tools/result.ts';
import { openPluginHome, type PluginHome } from '../../../kit/homes/plugin-home.ts';
import { havePast } from './kit/past.ts';
import { coreOf, runCommand, turnOf } from './kit/turn.ts';
import { scriptedWorker, type ScriptedWorker } from './kit/worker.ts';
import { databaseOf } from '../../../kit/database.ts';

/** A text of this number of tokens, counted as everywhere: a quarter of the characters. */
const said = (words: string, tokens: number): string => words.padEnd(tokens * 4, '.');
const last: readonly [string, string] = ['And now?', 'Now it is done.'];

const openHome = (worker: ScriptedWorker): Promise<PluginHome> => openPluginHome(worker);
const afterTurn = (home: PluginHome, conversation: Parameters<typeof turnOf>[1]): Promise<void> =>
  coreOf(home).turn.postTurn!(turnOf('', conversation), undefined!);
const historyOf = (home: PluginHome, conversation: Parameters<typeof turnOf>[1]) =>
  coreOf(home).turn.history!(turnOf('', conversation));

describe('old messages', () => {
  test('become observations past 3,000 tokens, not at 3,000, and the last exchange stays as it was', async () => {
    const worker = scriptedWorker({ observe: [{ text: 'Ana starts at Acme on 3 May', messages: [1] }] });
    await using home = await openHome(worker);
    const conversation = await havePast(home.home, [
      [said('I start at Acme', 1500), said('Fine', 1500)],
      last,
    ]);
    await afterTurn(home, conversation);
    expect(worker.asked).toEqual([]);
    expect(await historyOf(home, conversation)).toBeUndefined();
    await havePast(home.home, [['x', 'y']]);
    await afterTurn(home, conversation);
    expect(worker.asked.map(({ role }) => role)).toEqual(['observe']);
    expect(worker.asked[0]!.text).toMatch(/^\[1\] \w{3}, \d+ \w+ \d{4}, user: I start at Acme/);
    expect(await historyOf(home, conversation)).toEqual({
      prefix: '- Ana starts at Acme on 3 May',
      after: 4,
      untrusted: [],
    });
  });

  test('are not observed without a worker model', async () => {
    const { services, asked } = scriptedWorker({});
    await using home = await openPluginHome({ services, environment: {} });
    const conversation = await havePast(home.home, [[said('a', 4000), said('b', 4000)], last]);
    await afterTurn(home, conversation);
    expect(asked).toEqual([]);
    expect(await historyOf(home, conversation)).toBeUndefined();
  });

  test('are tried again with the next turn when the model failed or answered no JSON; other work goes on', async () => {
    let tries = 0;
    const answers = [new Error('scripted'), 'I cannot do that.', '```json\n[{"text":"Likes tea"}]\n```'];
    const worker = scriptedWorker({ observe: () => answers[tries++]! });
    await using home = await openHome(worker);
    const conversation = await havePast(home.home, [[said('a kettle', 4000), 'b'], last]);
    for (let turn = 0; turn < 2; turn++) {
      await afterTurn(home, conversation);
      expect(await historyOf(home, conversation)).toBeUndefined();
    }
    expect(textOf(await home.call('memory_recall', { query: 'kettle' }))).toContain('#1 user: a kettle');
    await afterTurn(home, conversation);
    expect(await historyOf(home, conversation)).toEqual({ prefix: '- Likes tea', after: 2, untrusted: [] });
  });

  test('are observed once: of two that do it at the same time, the notes of the second are thrown away', async () => {
    const slow = Promise.withResolvers<object>();
    const worker = scriptedWorker({
      observe: () => (worker.asked.length === 1 ? slow.promise : [{ text: 'Noted by the faster one' }]),
    });
    await using home = await openHome(worker);
    const conversation = await havePast(home.home, [[said('a', 4000), 'b'], last]);
    await using database = databaseOf(home.home);
    const services: Partial<PluginServices> = {
      ...worker.services,
      history: createHistory(database),
      databaseOf: (owner, migrations) => createPluginTables(database, owner, migrations),
    };
    await using other = await openPluginHome({ ...worker, services });
    const slower = afterTurn(home, conversation);
    await expect.poll(() => worker.asked.length).toBe(1);
    await afterTurn(other, conversation);
    slow.resolve([{ text: 'Noted by the slower one' }]);
    await slower;
    expect(worker.asked).toHaveLength(2);
    expect(await historyOf(home, conversation)).toMatchObject({ prefix: '- Noted by the faster one' });
  });
});

describe('an observation of high priority', () => {
  const worker = (more: Parameters<typeof scriptedWorker>[0] = {}) =>
    scriptedWorker({
      observe: [
        { text: 'Ana works at Acme since May', priority: 'high', category: 'fact', messages: [1] },
        { text: 'Ana asked about parking', priority: 'low', messages: [2] },
      ],
      graph: {
        1: {
          entities: [
            { name: 'Ana', kind: 'person' },
            { name: 'Acme', kind: 'organisation' },
          ],
          relations: [{ from: 'Ana', relation: 'works at', to: 'Acme' }],
        },
      },
      ...more,
    });

  test('becomes a memory that says where it came from, and enters the graph', async () => {
    await using home = await openHome(worker());
    const conversation = await havePast(home.home, [[said('Since May I am at Acme', 4000), 'b'], last]);
    await afterTurn(home, conversation);
    await afterTurn(home, conversation);
    const { document, text } = await runWhy(home, 1);
    expect(document.memory).toMatchObject({ content: 'Ana works at Acme since May', origin: 'observed' });
    expect(document.messages.map(({ id }: { id: number }) => id)).toEqual([1]);
    expect(text).toContain('user: Since May I am at Acme');
    expect(textOf(await home.call('memory_graph', { action: 'explore', name: 'acme' }))).toBe(
      'Acme (organisation)\nAna → works at → Acme (memory #1)',
    );
    expect((await runCommand(home, 'memory list', [], { json: true })).document.memories).toHaveLength(1);
  });

  test('is left when it is known, and supersedes what it makes untrue', async () => {
    const judged = worker({ promote: [{ note: 1, verdict: 'replaces', memory: '#1' }] });
    await using home = await openHome(judged);
    await home.call('memory_store', { content: 'Ana works at Initech' });
    const conversation = await havePast(home.home, [[said('a', 4000), 'b'], last]);
    await afterTurn(home, conversation);
    expect(judged.asked.find(({ role }) => role === 'promote')!.text).toContain('1. Ana works at Initech');
    const listed = await runCommand(home, 'memory list', [], { all: true });
    expect(listed.text).toMatch(/#2 \(fact\) Ana works at Acme since May.*\n#1 .*Initech.*superseded by #2/);
    expect((await runWhy(home, 2)).document.before).toMatchObject([{ content: 'Ana works at Initech' }]);

    await using knowing = await openHome(worker({ promote: [{ note: 1, verdict: 'known', memory: 1 }] }));
    await knowing.call('memory_store', { content: 'Ana is at Acme' });
    await afterTurn(knowing, await havePast(knowing.home, [[said('a', 4000), 'b'], last]));
    expect((await runCommand(knowing, 'memory list')).text).not.toContain('since May');
  });

  test('leaves nothing behind when it is forgotten: not in the graph, nor in what stands for the conversation', async () => {
    await using home = await openHome(worker());
    const conversation = await havePast(home.home, [[said('Since May I am at Acme', 4000), 'b'], last]);
    await afterTurn(home, conversation);
    expect((await historyOf(home, conversation))!.prefix).toContain('(!) Ana works at Acme');
    await runCommand(home, 'memory forget', ['#1']);
    expect((await historyOf(home, conversation))!.prefix).toBe('- Ana asked about parking');
    expect(textOf(await home.call('memory_graph', { action: 'search', name: 'a' }))).toBe(
      'Nothing has a name like "a".',
    );
    const recalled = await home.call('memory_recall', { query: 'Ana works at Acme since May' });
    expect(recalled.structured).toEqual({ memories: [], messages: [] });
  });
});

test('observations are condensed past 4,000 tokens; the old ones are kept, and nothing forgotten comes back', async () => {
  const notes = Array.from({ length: 9 }, (_, at) => ({ text: said(`Note ${at}`, 500), messages: [1] }));
  const worker = scriptedWorker({
    observe: notes,
    reflect: [{ text: 'All nine notes in short', priority: 'high', notes: [1, 2, 3] }],
  });
  await using home = await openHome(worker);
  const conversation = await havePast(home.home, [[said('a', 4000), 'b'], last]);
  await afterTurn(home, conversation);
  expect(worker.asked.map(({ role }) => role)).toEqual(['observe', 'reflect']);
  expect(await historyOf(home, conversation)).toEqual({
    prefix: '- (!) All nine notes in short',
    after: 2,
    untrusted: [],
  });
  await afterTurn(home, conversation);
  expect(worker.asked).toHaveLength(2);
});

async function runWhy(home: PluginHome, id: number) {
  const { document } = await runCommand(home, 'memory why', [String(id)], { json: true });
  const { text } = await runCommand(home, 'memory why', [String(id)]);
  return { document, text };
}
