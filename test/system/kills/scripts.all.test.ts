import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startScriptedModel, type ScriptedReply, type ScriptedRequest } from '../../../host/testing/index.ts';
import { startPegboard } from '../../kit/cli.ts';
import { randomFrom } from '../../kit/data/random.ts';
import { configFor } from '../../kit/homes/agent-home.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';
import { rounds } from '../../kit/run/tiers.ts';
import { anna, startFakeBotApi, type FakeMessage } from '../../kit/telegram/fake-bot-api.ts';
import { environmentOf } from '../../plugins/builtin-telegram/bot-home.ts';

const kills = rounds({ all: 4, soak: 100 });
const effect =
  "parameters: [{ name: what, type: string, required: true }]\ncommand: printf '%s\\n' {{what}} >> notes.txt";

/** Two questions, with an effect before, between and after them. */
const program = (turn: number): string => `
await tools.s.mark({ what: '${turn}/0' });
const kept = Array.from({ length: 100 }, (_, at) => 'kept ' + at);
await tools.s.sign({ what: '${turn}/1' });
await tools.s.mark({ what: '${turn}/2' });
await Promise.all([tools.s.sign({ what: '${turn}/3' }), tools.s.mark({ what: '${turn}/4' })]);
return kept.length;`;
const effectsOf = (turn: number): readonly string[] => [0, 1, 2, 3, 4].map((at) => `${turn}/${at}`);

function replyTo({ messages }: ScriptedRequest): ScriptedReply {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const turn = Number(/turn (\d+)/.exec(JSON.stringify(messages[at].content))![1]);
  const result = messages.slice(at).find(({ role }) => role === 'tool');
  if (result) return { text: `answer ${turn}: ${result.content}` };
  return { toolCalls: [{ name: 'run_script', arguments: { code: program(turn) }, id: `call_${turn}` }] };
}

async function openHome() {
  await using opened = new AsyncDisposableStack();
  const telegram = opened.use(await startFakeBotApi());
  const model = opened.use(await startScriptedModel(replyTo));
  const home = opened.use(
    await createHome({
      'pegboard.yaml': configFor(model),
      'spaces/s/space.manifest.json': JSON.stringify({ id: 's', name: 's', description: 's', tools: [] }),
      'spaces/s/agent/tools/mark.md': manifest('mark', effect),
      'spaces/s/agent/tools/sign.md': manifest('sign', `confirm: true\n${effect}`),
    }),
  );
  const start = () =>
    startPegboard(['start'], { home: home.path, env: environmentOf(telegram), apart: true });
  let running = start();
  opened.defer(() => running[Symbol.asyncDispose]());
  const owned = opened.move();
  return {
    telegram,
    model,
    home,
    async kill() {
      running.child.kill('SIGKILL');
      await running.ended;
    },
    start: () => void (running = start()),
    notes: async () => (await home.read('spaces/s/notes.txt').catch(() => '')).split('\n').filter(Boolean),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const isOpenQuestion = ({ text, buttons }: FakeMessage): boolean =>
  buttons.some((button) => button.text === 'Allow once') && !text.includes('✅');

test('a script goes on where its host was killed at a question, and each effect happens once', async () => {
  await using run = await openHome();
  const { telegram, home } = run;
  telegram.write(anna, 'turn 1');
  const first = await telegram.until(() => telegram.sentTo(anna.id).find(isOpenQuestion));
  await expect.poll(() => isPaused(home.path), { timeout: 30_000 }).toBe(true);
  expect(await run.notes()).toEqual(['1/0']);
  await run.kill();
  telegram.press(anna, first.id, 'Allow once');
  run.start();
  const second = await telegram.until(() =>
    telegram.sentTo(anna.id).find((one) => isOpenQuestion(one) && one.text.includes('1/3')),
  );
  telegram.press(anna, second.id, 'Allow once');
  await telegram.until(() => telegram.sentTo(anna.id).find(({ text }) => text.startsWith('answer 1: 100')));
  expect((await run.notes()).toSorted()).toEqual(effectsOf(1));
  expect(telegram.sentTo(anna.id).some(({ text }) => text.includes('⚠️'))).toBe(false);
  expect(run.model.requests).toHaveLength(2);
});

function isPaused(home: string): boolean {
  using database = new DatabaseSync(join(home, 'data/pegboard.db'), { readOnly: true });
  return database.prepare('select 1 from paused_calls').get() !== undefined;
}

test(
  `a script whose host is killed at ${kills} moments of any kind never repeats an effect`,
  { timeout: 60_000 + kills * 20_000 },
  async () => {
    await using run = await openHome();
    const { telegram } = run;
    const random = randomFrom(20_261_126);
    let left = Number.POSITIVE_INFINITY;
    let reached = Promise.withResolvers<void>();
    const pressed = new Set<number>();
    telegram.onCall(({ method }) => {
      if (method !== 'getUpdates' && --left <= 0) reached.resolve();
      for (const message of telegram.sentTo(anna.id)) {
        const { id, buttons } = message;
        // An answer on its way to Telegram when the host was killed may have arrived or not.
        const again = buttons.find((button) => button.text === 'Send it again')?.text;
        const label = isOpenQuestion(message) ? 'Allow once' : again;
        if (label === undefined || pressed.has(id)) continue;
        pressed.add(id);
        telegram.press(anna, id, label);
      }
    });
    const isAnswered = (turn: number): boolean =>
      telegram.sentTo(anna.id).some(({ text }) => text.startsWith(`answer ${turn}: `) && !text.endsWith('…'));

    let killed = 0;
    let turn = 0;
    while (killed < kills) {
      turn++;
      reached = Promise.withResolvers();
      left = 1 + Math.floor(random() * 12);
      telegram.write(anna, `turn ${turn}`);
      const answered = telegram.until(() => isAnswered(turn));
      if ((await Promise.race([reached.promise, answered])) === undefined) {
        await delay([0, 20, 60, 140][killed % 4]);
        await run.kill();
        killed++;
        left = Number.POSITIVE_INFINITY;
        run.start();
      }
      await answered;
      const own = (await run.notes()).filter((line) => line.startsWith(`${turn}/`));
      expect(own.length, `turn ${turn}: ${own.join()}`).toBe(new Set(own).size);
      const whole = telegram.sentTo(anna.id).some(({ text }) => text === `answer ${turn}: 100`);
      if (whole) expect(own.toSorted()).toEqual(effectsOf(turn));
    }
  },
);
