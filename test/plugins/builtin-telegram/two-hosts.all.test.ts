import { expect, test } from 'vitest';
import { configFor } from '../../kit/homes/agent-home.ts';
import { startPegboard } from '../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../kit/homes/home.ts';
import { faultless, killDuringTurns } from '../../kit/kills/turns/many-turns.ts';
import { describePostgres, postgresUrl } from '../../kit/postgres.ts';
import { startFakeBotApi, type FakeBotApi, type FakeUser } from '../../kit/telegram/fake-bot-api.ts';
import { startScriptedModel, type Script, type ScriptedModel } from '../../../host/testing/index.ts';
import { environmentOf, saysIn } from './bot-home.ts';

/** A share of 160 turns and 20 kills: `npm run soak` does all of them. */
const turns = 24;
const kills = 2;

const people = Array.from({ length: 24 }, (_, at): FakeUser => ({
  id: 3_000 + at,
  is_bot: false,
  first_name: `Person ${at}`,
}));

interface TwoHosts extends AsyncDisposable {
  readonly telegram: FakeBotApi;
  /** Of the host that does not receive, which starts second. */
  readonly other: { readonly home: TestHome; readonly model: ScriptedModel };
  /** Lets people write until the host that does not receive has begun the turn of one of them; that is who. */
  untilOtherAnswers(text: string): Promise<FakeUser>;
}

const filesFor = (state: string): Record<string, string> => ({
  'pegboard.yaml': JSON.stringify({ state }),
  'spaces/s/space.manifest.json': JSON.stringify({ id: 's', name: 's', description: 's', tools: [] }),
  'spaces/s/agent/tools/note.md': manifest('note', 'confirm: true\ncommand: echo noted >> notes.txt'),
});

/** Two hosts with one bot and one state. The first one receives, and each has a model of its own. */
async function openTwoHosts(script: Script): Promise<TwoHosts> {
  await using opened = new AsyncDisposableStack();
  const telegram = opened.use(await startFakeBotApi());
  const state = await postgresUrl();
  const env = environmentOf(telegram, { ALLOWED_TELEGRAM_IDS: people.map(({ id }) => id).join() });
  const open = async () => {
    const model = opened.use(await startScriptedModel(script));
    const home = opened.use(
      await createHome({
        ...filesFor(state),
        // What is a machine's own may differ.
        'pegboard.local.yaml': configFor(model),
      }),
    );
    const host = opened.use(startPegboard(['start'], { home: home.path, env, apart: true }));
    await host.waitFor(/running/);
    return { home, model };
  };
  await open();
  await telegram.until(() => telegram.calls.some(({ method }) => method === 'getUpdates'));
  const other = await open();
  const owned = opened.move();
  return {
    telegram,
    other,
    async untilOtherAnswers(text) {
      for (const person of people) {
        telegram.write(person, text);
        await telegram.until(() => telegram.sentTo(person.id).length > 0);
        if (other.model.requests.length > 0) return person;
      }
      throw new Error('the host that receives has begun every turn');
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describePostgres('two hosts with one bot', () => {
  test('a button that one host receives answers the question of a turn on the other', async () => {
    await using hosts = await openTwoHosts(({ messages }) =>
      messages.at(-1)!.role === 'tool'
        ? { text: 'It is noted.' }
        : { toolCalls: [{ name: 'note', arguments: {} }] },
    );
    const { telegram, other } = hosts;
    const person = await hosts.untilOtherAnswers('note it');
    const question = await saysIn(telegram, person.id, /note/);
    const press = telegram.press(person, question.id, 'Allow once');
    await saysIn(telegram, person.id, 'It is noted.');
    expect(await other.home.read('spaces/s/notes.txt')).toBe('noted\n');
    expect(telegram.answerTo(press)).toBe('Allow once');
    expect(question.text).toMatch(/✅ Allow once — Person \d+$/);
    expect(question.buttons).toEqual([]);
    expect(other.model.requests).toHaveLength(2);
  });

  test('an answer for a host that died meanwhile is asked for again by one in another folder', async () => {
    await using telegram = await startFakeBotApi();
    await using model = await startScriptedModel(({ messages }) =>
      messages.at(-1)!.role === 'tool'
        ? { text: 'It is noted.' }
        : { toolCalls: [{ name: 'note', arguments: {} }] },
    );
    const files = {
      ...filesFor(await postgresUrl()),
      'pegboard.local.yaml': configFor(model),
    };
    const env = environmentOf(telegram, { ALLOWED_TELEGRAM_IDS: String(people[0]!.id) });
    await using home = await createHome(files);
    await using elsewhere = await createHome(files);
    await using first = startPegboard(['start'], { home: home.path, env, apart: true });
    telegram.write(people[0]!, 'note it');
    const asked = await saysIn(telegram, people[0]!.id, /note/);
    first.child.kill('SIGKILL');
    await first.ended;
    telegram.press(people[0]!, asked.id, 'Allow once');
    await using _second = startPegboard(['start'], { home: elsewhere.path, env, apart: true });
    await telegram.until(() => telegram.sentTo(people[0]!.id).length === 2);
    const again = telegram.sentTo(people[0]!.id).at(-1)!;
    telegram.press(people[0]!, again.id, 'Allow once');
    await saysIn(telegram, people[0]!.id, 'It is noted.');
    expect(await elsewhere.read('spaces/s/notes.txt')).toBe('noted\n');
  });

  test('/stop that one host receives stops a turn on the other', async () => {
    await using hosts = await openTwoHosts(() => ({
      text: 'a thought that never ends',
      chunks: 5,
      faults: { hangAfter: 4 },
    }));
    const { telegram, other } = hosts;
    const person = await hosts.untilOtherAnswers('think hard');
    telegram.write(person, '/stop');
    await saysIn(telegram, person.id, /^a thought that[^…]*\(Stopped\.\)$/);
    await other.model.closed(0);
    expect(telegram.sentTo(person.id)).toHaveLength(1);
  });

  test(
    `${turns} turns are answered once although the hosts are killed ${kills} times`,
    { timeout: 300_000 },
    async () => {
      const tally = await killDuringTurns({ turns, kills, hosts: 2 });
      expect(tally).toMatchObject({ kills, ended: turns, ...faultless });
    },
  );
});
