import { expect, test } from 'vitest';
import type { TurnContext } from '../../../../host/api/conversation.ts';
import type { PluginServices } from '../../../../host/plugins/context.ts';
import { textOf } from '../../../../host/tools/result.ts';
import { openPluginHome, owner } from '../../../kit/homes/plugin-home.ts';

/** A turn in a Telegram chat. */
const turn = {
  message: { source: 'telegram', externalId: '42', text: 'hi' },
  conversation: { source: 'telegram', externalId: '42', id: 1 },
  untrusted: { origins: [] },
  agent: 'test',
  embedding: () => Promise.resolve(undefined),
  signal: new AbortController().signal,
} as unknown as TurnContext;

const daily = { instruction: 'Water the plants', cron_expression: '0 9 * * *' };

test('a schedule goes to the chat in which it was made, and is listed and cancelled', async () => {
  await using home = await openPluginHome();
  const created = await home.call('schedule_create', daily, { turn });
  expect(textOf(created)).toMatch(
    /^Created\. Schedule 1: 0 9 \* \* \*, next .* 09:00 \(UTC\), by test, to telegram 42/,
  );
  expect(textOf(created)).toContain('No host is running');
  expect((await home.call('schedule_list')).structured).toMatchObject({
    schedules: [{ id: 1, text: 'Water the plants', channel: 'telegram', chat: '42', agent: 'test' }],
  });
  expect(textOf(await home.call('schedule_cancel', { id: 1 }))).toContain('is cancelled');
  expect(textOf(await home.call('schedule_list'))).toBe('No schedule is active.');
  expect((await home.call('cancel_schedule', { id: 9 })).error?.message).toContain('no schedule 9');
});

test('nearly the same instruction at the same times is not created twice, unless it is meant', async () => {
  await using home = await openPluginHome();
  await home.call('schedule_create', daily);
  const again = await home.call('schedule', {
    instruction: 'water  the Plants!',
    cron_expression: '00 9 * * *',
  });
  expect(again.structured).toEqual({ id: 1, created: false });
  const meant = await home.call('schedule_create', { ...daily, allow_duplicate: true });
  expect(meant.structured).toEqual({ id: 2, created: true });
  const later = await home.call('schedule_create', { ...daily, cron_expression: '0 18 * * *' });
  expect(later.structured, 'another time is another schedule').toEqual({ id: 3, created: true });
});

test('where there are embeddings, another wording of the same is found too', async () => {
  const embed: PluginServices['embed'] = async (texts) =>
    texts.map((text) => Float32Array.from(/plants|flowers/.test(text) ? [1, 0.1] : [0, 1]));
  await using home = await openPluginHome({ services: { embed } });
  await home.call('schedule_create', daily);
  const same = await home.call('schedule_create', {
    ...daily,
    instruction: 'Give the flowers some moisture',
  });
  expect(same.structured).toEqual({ id: 1, created: false });
  const other = await home.call('schedule_create', { ...daily, instruction: 'Read the newspaper to me' });
  expect(other.structured).toEqual({ id: 2, created: true });
});

test('what can not be is refused, saying how to write it', async () => {
  await using home = await openPluginHome();
  const refused = async (args: object) =>
    (await home.call('schedule_create', { instruction: 'x', ...args })).error?.message;
  expect(await refused({})).toContain('either run_at (once) or cron_expression');
  expect(await refused({ cron_expression: '0 9 * * *', run_at: 'in 5 minutes' })).toContain('either');
  expect(await refused({ run_at: '2020-01-01T09:00' })).toContain('is in the past');
  expect(await refused({ cron_expression: '99 * * * *' })).toContain('not a valid cron expression');
  expect(await refused({ cron_expression: 'tomorrow at 9' })).toContain(
    'a single time, which belongs in run_at',
  );
  expect(await refused({ cron_expression: '2026-13-01' })).toContain('Write a cron expression ("0 9 * * 1"');
  expect(await refused({ cron_expression: 'evry day at 9' })).toContain('Did you mean "every day at 9"?');
  expect(await refused({ cron_expression: 'every fortuna at 9' })).toContain(
    'the word "fortuna" is not understood',
  );
  expect(await refused({ run_at: 'in 5 minutes', timezone: 'Moon/Base' })).toContain('not a time zone');
});

test('an agent sees its own schedules alone, the owner all', async () => {
  await using home = await openPluginHome();
  await home.call('schedule_create', daily);
  const other = { scope: { identity: 'agent', agent: 'other', access: {} } } as const;
  expect(textOf(await home.call('schedule_list', {}, other))).toBe('No schedule is active.');
  expect((await home.call('schedule_cancel', { id: 1 }, other)).error?.message).toContain('no schedule 1');
  expect(textOf(await home.call('schedule_list', {}, owner))).toContain('Water the plants');
});

test('the service runs what is due, in a turn of its own whose tools know the chat', async () => {
  const delivered = Promise.withResolvers<string>();
  await using home = await openPluginHome({
    services: {
      converse: async ({ source, context }) =>
        ({
          text: `${source} ${JSON.stringify(context)}`,
          untrusted: [],
        }) as unknown as Awaited<ReturnType<PluginServices['converse']>>,
      deliver: async ({ channel, chat }, { text }) => delivered.resolve(`${channel}/${chat}: ${text}`),
    },
  });
  await home.plugins.startServices();
  await home.call('schedule_create', { instruction: 'now', run_at: 'in 0 seconds' }, { turn });
  expect(await delivered.promise).toBe(
    'telegram/42: schedule {"schedule":1,"background":{"channel":"telegram","chat":"42"}}',
  );
});

test('a reminder that was sent is in the history of its chat, in full', async () => {
  const text = `Call Ada ${'and tell her about it '.repeat(60).trim()}`;
  await using home = await openPluginHome({ services: { deliver: async () => {} } });
  await home.plugins.startServices();
  await home.call('remind', { message: text, run_at: 'in 0 seconds' }, { turn });
  const said = async (): Promise<readonly string[]> => {
    const conversations = await home.history.conversations();
    const own = conversations.find(({ source, externalId }) => source === 'telegram' && externalId === '42');
    return own ? (await home.history.messages(own.id)).map((message) => message.text) : [];
  };
  await expect.poll(said).toEqual([`[Sent by schedule 1]\n${text}`]);
});
