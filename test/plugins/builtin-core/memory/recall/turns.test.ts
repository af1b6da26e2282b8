import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { ToolResult } from '../../../../../host/api/result.ts';
import { createPluginTables } from '../../../../../host/store/database/plugin-tables.ts';
import { coreTables } from '../../../../kit/core-tables.ts';
import { gramMigration } from '../../../../../plugins/builtin-core/memory/migration.ts';
import type { MemoryTables } from '../../../../../plugins/builtin-core/memory/tables.ts';
import { migrations } from '../../../../../plugins/builtin-core/migrations.ts';
import { openPluginHome } from '../../../../kit/homes/plugin-home.ts';
import { wordEmbedder } from '../kit/embedder.ts';
import { havePast } from '../kit/past.ts';
import { coreOf, turnOf } from '../kit/turn.ts';
import { databaseOf, isOnPostgres } from '../../../../kit/database.ts';

/** The ids of the past messages in a result of memory_recall. */
const idsIn = ({ structured }: ToolResult): readonly number[] =>
  (structured as { readonly messages: readonly { readonly id: number }[] }).messages.map(({ id }) => id);

const recentTitle = 'Recent memories -- use these for context, pattern recognition, and continuity';
const relevantTitle = 'Potentially relevant memories';

describe('the preamble of a turn', () => {
  test('has no section while nothing is remembered', async () => {
    await using home = await openPluginHome();
    const conversation = await havePast(home.home, []);
    expect(await coreOf(home).turn.preTurn!(turnOf('hello', conversation))).toEqual([]);
  });

  test('shows the ten newest memories, and by meaning those that are relevant, each once', async () => {
    const embedder = wordEmbedder({ plan: 'redesign' });
    await using home = await openPluginHome({ services: { embed: embedder.embed } });
    const conversation = await havePast(home.home, []);
    await home.call('memory_store', { content: 'Meeting with Bob about the redesign' });
    await home.call('memory_store', { content: 'Grandmother bakes plum cake', category: 'fact' });
    for (let at = 0; at < 10; at++)
      await home.call('memory_store', {
        content: `Number ${at} prefers colour ${at}`,
        category: 'preference',
      });
    await embedder.called(12);
    const [embedding] = await embedder.embed(['Meeting about plan with Bob']);
    const preTurn = () =>
      coreOf(home).turn.preTurn!(turnOf('Meeting about plan with Bob', conversation, embedding));
    await expect.poll(async () => (await preTurn())!.length).toBe(2);
    const [recent, relevant] = (await preTurn())!;
    expect(recent).toMatchObject({ title: recentTitle });
    expect(recent!.lines).toHaveLength(10);
    expect(recent!.lines[0]).toBe('(preference) Number 9 prefers colour 9');
    expect(relevant!.title).toBe(relevantTitle);
    expect(relevant!.lines).toHaveLength(1);
    expect(relevant!.lines[0]).toMatch(/^\(note\) Meeting with Bob about the redesign \(\d\d% match\)$/);
  });

  test('finds relevant ones by words where there are no embeddings, and claims no match', async () => {
    await using home = await openPluginHome();
    const conversation = await havePast(home.home, []);
    await home.call('memory_store', { content: 'The spare key is with Mrs Okafor' });
    for (let at = 0; at < 10; at++) await home.call('memory_store', { content: `Unrelated thing ${at}` });
    const [, relevant] = (await coreOf(home).turn.preTurn!(turnOf('Who has the spare key?', conversation)))!;
    expect(relevant).toEqual({ title: relevantTitle, lines: ['(note) The spare key is with Mrs Okafor'] });
  });
});

describe('past messages', () => {
  test('are found by what they say, with their day and what was said around them', async () => {
    await using home = await openPluginHome();
    await havePast(home.home, [
      ['My sister Ines moved to Porto last spring', 'How nice! What does she do there?'],
      ['She opened a pottery studio near the river', 'That sounds wonderful.'],
      ['Can you convert 3 miles?', '4.83 kilometres.'],
    ]);
    const result = await home.call('memory_recall', { query: 'What does Ines do in Porto?' });
    const text = result.content.map((block) => (block as { text: string }).text).join('');
    expect(text).toMatch(/^Past messages:\n\[\w{3}, \d+ \w+ \d{4}, cli\]\n#1 user: My sister Ines/);
    expect(text).toContain('#3 user: She opened a pottery studio near the river');
  });

  test('are found in every conversation, also those said since the last time', async () => {
    await using home = await openPluginHome();
    await havePast(home.home, [['The boiler was serviced in October', 'Noted.']], 'a');
    const found = async (query: string) => idsIn(await home.call('memory_recall', { query }));
    expect(await found('boiler service')).toContain(1);
    const conversation = await havePast(
      home.home,
      [['The chimney sweep comes on Friday', 'Good to know.']],
      'b',
    );
    await coreOf(home).turn.postTurn!(turnOf('', conversation), undefined!);
    expect(await found('chimney sweep')).toContain(3);
  });

  test.for([
    ['Chinese', '我们家的猫叫咪咪,它喜欢吃三文鱼', '猫喜欢吃什么?'],
    ['Japanese', '来週の水曜日に京都の旅館を予約しました', '京都ではどこに泊まりますか'],
    ['Japanese in katakana', '新しいﾌﾟﾘﾝﾀｰはエプソンです', 'プリンターはどれ'],
    ['Korean', '어머니 생신은 시월 십이일입니다', '어머니의 생신이 언제예요?'],
    ['Thai', 'พ่อของฉันแพ้กุ้งมาก', 'ใครแพ้กุ้ง'],
    ['one character among English', 'The cat is called 花', '花 is who?'],
  ] as const)(
    'in languages without spaces (%s) are found by a part of what they say',
    async ([, said, asked]) => {
      await using home = await openPluginHome();
      await havePast(home.home, [['今天天气很好 오늘 天気 อากาศ', '']], 'a');
      await havePast(home.home, [[said, '']], 'b');
      const found = await home.call('memory_recall', { query: asked });
      expect(idsIn(found)).toContain(3);
      expect(JSON.stringify(found.content)).toContain(said);
      const nothing = await home.call('memory_recall', { query: '量子色力学' });
      expect(idsIn(nothing)).toEqual([]);
    },
  );

  test.skipIf(isOnPostgres)(
    'that were indexed before there were pairs of characters are found by them too',
    async () => {
      await using home = await openPluginHome();
      const { id } = await havePast(home.home, [['我们家的猫叫咪咪', '好名字']]);
      {
        await using database = databaseOf(home.home);
        const before = migrations.slice(
          0,
          migrations.findIndex((one) => typeof one !== 'string' && one.sqlite === gramMigration),
        );
        // One table had another name in that version.
        const owner = { ...coreTables, prefixes: [...coreTables.prefixes, 'memories'] };
        const tables = await createPluginTables<MemoryTables>(database, owner, before).open();
        const at = new Date().toISOString();
        const session = { conversation_id: id, source: 'cli', started_at: at, last_at: at, turns: 1 };
        await tables.insertInto('memory_sessions').values(session).execute();
        await tables
          .insertInto('memory_turns')
          .values({ message_id: 1, session_id: 1, position: 0, role: 'user', at })
          .execute();
        await sql`insert into memory_turns_fts (rowid, text) values (1, '我们家的猫叫咪咪')`.execute(tables);
        await sql`insert into memory_sessions_fts (rowid, text) values (1, '我们家的猫叫咪咪')`.execute(
          tables,
        );
        const progress = { conversation_id: id, indexed_until: 2, observed_until: 0 };
        await tables.insertInto('memory_progress').values(progress).execute();
      }
      expect(idsIn(await home.call('memory_recall', { query: '猫叫什么' }))).toContain(1);
    },
  );

  test('do not include the question that is being answered', async () => {
    await using home = await openPluginHome();
    const conversation = await havePast(home.home, [['Where is the violin?', '']]);
    const result = await home.call(
      'memory_recall',
      { query: 'Where is the violin?' },
      { turn: turnOf('Where is the violin?', conversation) },
    );
    expect(idsIn(result)).toEqual([]);
  });

  test('that a forgotten memory came from are not found any more, and stay in the history', async () => {
    await using home = await openPluginHome();
    const conversation = await havePast(home.home, [
      ['My PIN for the garage is 8812', 'I will remember it.'],
      ['The garage needs paint', 'Yes.'],
    ]);
    const turn = turnOf('', conversation);
    await coreOf(home).turn.postTurn!(turn, undefined!);
    const said = await havePast(home.home, [['Remember: the garage PIN changed to 9921', '']]);
    const stored = await home.call(
      'memory_store',
      { content: 'Garage PIN is 9921' },
      { turn: turnOf('', said) },
    );
    const { id } = stored.structured as { id: number };
    await home.call('memory_forget', { id });
    await coreOf(home).turn.postTurn!(turn, undefined!);
    const result = await home.call('memory_recall', { query: 'garage PIN' });
    expect(result.structured).toMatchObject({ memories: [] });
    expect(idsIn(result)).toContain(1);
    expect(idsIn(result)).not.toContain(5);
  });
});
