import { expect, test } from 'vitest';
import { daysBefore } from '../../../host/store/conversations/day.ts';
import { servePage, type ServedPage } from '../../kit/web/served-page.ts';
import { databaseOf } from '../../kit/database.ts';

/** Two turns of one conversation, five days apart, and an embedding. Returns the days. */
async function useModels({
  home,
  host,
}: ServedPage): Promise<{ readonly today: string; readonly before: string }> {
  const database = databaseOf(home);
  const open = await database.open();
  const today = host.usage.today();
  const before = daysBefore(today, 5);
  await open
    .insertInto('conversations')
    .values({ source: 'cli', external_id: 'cli', started_at: `${before}T10:00:00Z`, ended_at: null })
    .execute();
  const said = async (day: string, asked: string): Promise<number> => {
    const common = {
      conversation_id: 1,
      attachments: null,
      external_id: null,
      state: 'done' as const,
      stopped: null,
      untrusted: null,
      owner: null,
      turn_key: null,
    };
    await open
      .insertInto('messages')
      .values({ ...common, role: 'user', text: asked, agent: null, created_at: `${day}T10:00:00.000Z` })
      .execute();
    const { id } = await open
      .insertInto('messages')
      .values({
        ...common,
        role: 'assistant',
        text: 'Yes.',
        agent: 'personal',
        created_at: `${day}T10:00:01.000Z`,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const paid = (
    day: string,
    second: number,
    cost: number | null,
    conversation: number | null,
  ): Promise<unknown> =>
    open
      .insertInto('usage')
      .values({
        day,
        at: `${day}T10:00:0${second}.500Z`,
        agent: conversation === null ? 'embeddings' : 'personal',
        model: cost === null ? 'local-1' : 'large-2',
        source: conversation === null ? 'embeddings' : 'cli',
        conversation_id: conversation,
        input: 1_000,
        output: 100,
        cached: 200,
        cost,
      })
      .execute();
  await said(before, 'What is in my mail?');
  await paid(before, 2, 0.5, 1);
  await paid(before, 3, 0.25, 1);
  const answer = await said(today, 'And today?');
  await paid(today, 4, 1, 1);
  await paid(today, 5, null, null);
  await open
    .insertInto('tool_calls')
    .values({
      message_id: answer,
      call_id: 'a',
      tool: 'filesystem.read',
      args: '{}',
      result: 'x',
      ok: 0,
      ms: 12,
      ended: 1,
    })
    .execute();
  await database[Symbol.asyncDispose]();
  return { today, before };
}

test('usage goes from windows side by side to a day, its turns and their calls', async () => {
  await using page = await servePage();
  expect(await page.ask('usage')).toMatchObject({
    body: { windows: [{ sum: { calls: 0 } }, {}, {}], models: [] },
  });
  const { today, before } = await useModels(page);
  const { body } = await page.ask('usage');
  expect(body).toMatchObject({
    today,
    windows: [
      { days: 1, sum: { calls: 2, cost: 1, unpriced: 1 } },
      { days: 7, sum: { calls: 4, cost: 1.75 } },
      { days: 30, sum: { calls: 4, input: 4_000, cached: 800, output: 400 } },
    ],
    models: [{ name: 'large-2', cost: 1.75 }, { name: 'local-1' }],
    agents: [{ name: 'personal', calls: 3 }, { name: 'embeddings' }],
  });
  const { days } = body as { readonly days: readonly { readonly name: string; readonly cost: number }[] };
  expect(days).toHaveLength(30);
  expect(days.at(-6)).toMatchObject({ name: before, cost: 0.75 });
  const { body: day } = await page.ask(`usage-turns/${before}`);
  expect(day).toMatchObject({
    turns: [{ asked: 'What is in my mail?', chat: '1', calls: 2, cost: 0.75, agent: 'personal' }],
  });
  const { body: now } = await page.ask(`usage-turns/${today}`);
  const { turns } = now as { readonly turns: readonly { readonly turn?: number; readonly chat?: string }[] };
  expect(turns).toMatchObject([
    { asked: 'And today?', cost: 1 },
    { agent: 'embeddings', asked: '' },
  ]);
  expect(turns[1]).not.toHaveProperty('chat');
  expect(await page.ask(`usage-calls/${turns[0]!.turn}`)).toMatchObject({
    body: {
      models: [{ model: 'large-2', cost: 1, input: 1_000 }],
      tools: [{ tool: 'filesystem.read', ok: false, ms: 12 }],
    },
  });
  expect(await page.ask('usage-turns/yesterday')).toMatchObject({ status: 422 });
});
