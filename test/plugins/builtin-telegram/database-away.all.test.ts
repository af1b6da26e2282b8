import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import { startScriptedModel } from '../../../host/testing/index.ts';
import { configFor } from '../../kit/homes/agent-home.ts';
import { createHome } from '../../kit/homes/home.ts';
import { describePostgres, startPostgres } from '../../kit/postgres.ts';
import { startFakeBotApi, type FakeUser } from '../../kit/telegram/fake-bot-api.ts';
import { environmentOf } from './bot-home.ts';

const people = [3_001, 3_002, 3_003].map((id): FakeUser => ({ id, is_bot: false, first_name: 'Kim' }));
const [first] = people as [FakeUser];
const rounds = 2;
const messagesOfRound = 12;

describePostgres('while the database crashes', () => {
  test('a channel that gets its connection then receives as soon as the database is back', async () => {
    await using server = await startPostgres({ fsync: true });
    await using telegram = await startFakeBotApi();
    const isFirst = telegram.fail('getMe', { status: 502 });
    await using model = await startScriptedModel(() => ({ text: 'here' }));
    await using home = await createHome({
      'pegboard.yaml': JSON.stringify({ state: await server.createDatabase() }),
      'pegboard.local.yaml': configFor(model),
    });
    const environment = environmentOf(telegram, { ALLOWED_TELEGRAM_IDS: String(first.id) });
    await using host = await createHost({ home: home.path, environment });
    await host.hosts.join({});
    await host.plugins.startServices();
    await telegram.until(() => telegram.calls.some(({ method }) => method === 'getMe'));
    await server.stop();
    isFirst[Symbol.dispose]();
    const asked = telegram.calls.length;
    await telegram.until(() => telegram.calls.length > asked);
    await server.start();
    telegram.write(first, 'hello');
    await telegram.until(() => telegram.sentTo(first.id).some(({ text }) => text === 'here'));
  });

  test('messages that were received are all answered, once and in order, without another start', async () => {
    await using server = await startPostgres({ fsync: true });
    await using telegram = await startFakeBotApi();
    await using model = await startScriptedModel(({ messages }) => ({
      text: `answer to ${/say (\d+)/.exec(JSON.stringify(messages.at(-1)!.content))?.[1]}`,
    }));
    await using home = await createHome({
      'pegboard.yaml': JSON.stringify({ state: await server.createDatabase() }),
      'pegboard.local.yaml': configFor(model),
    });
    const environment = environmentOf(telegram, {
      ALLOWED_TELEGRAM_IDS: people.map(({ id }) => id).join(),
    });
    await using host = await createHost({ home: home.path, environment });
    await host.plugins.startServices();
    let written = 0;
    const write = (): void => {
      for (const person of people) telegram.write(person, `say ${++written}`);
    };
    const answersTo = (person: FakeUser): readonly string[] =>
      telegram
        .sentTo(person.id)
        .map(({ text }) => text)
        .filter((text) => text.startsWith('answer to'));

    for (let round = 0; round < rounds; round++) {
      let stopping: Promise<void> | undefined;
      for (let at = 0; at < messagesOfRound; at++) {
        write();
        await delay(50);
        if (at === messagesOfRound / 2) stopping = server.stop();
      }
      await stopping;
      await delay(2_000);
      await server.start();
      write();
    }
    const expected = (of: number): readonly string[] =>
      Array.from({ length: written / people.length }, (_, at) => `answer to ${at * people.length + of + 1}`);
    for (const [of, person] of people.entries())
      await expect.poll(() => new Set(answersTo(person))).toEqual(new Set(expected(of)));
    for (const [of, person] of people.entries()) expect(answersTo(person)).toEqual(expected(of));
  });
});
