import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { configFor } from '../../kit/homes/agent-home.ts';
import { startPegboard, type RunningCli } from '../../kit/cli.ts';
import { anna, startFakeBotApi, type FakeBotApi } from '../../kit/telegram/fake-bot-api.ts';
import { createHome } from '../../kit/homes/home.ts';
import { rounds } from '../../kit/run/tiers.ts';
import { startScriptedModel, type ScriptedReply } from '../../../host/testing/index.ts';
import { environmentOf } from './bot-home.ts';

const kills = rounds({ all: 16, soak: 1_000 });
/** Number of homes in parallel: most of a round is waiting. */
const lanes = 4;

/** A tool with an effect that can be counted, and one without. */
const note = `---
id: note
name: note
description: Writes a line
parameters:
  - { name: text, type: string, required: true }
command: printf '%s\\n' {{text}} >> notes.txt
---
`;

/**
 * The model's reaction to the question with this number: every third runs a tool twice, every fifth waits long for an
 * answer.
 */
function replyTo(messages: readonly { readonly role: string; readonly content: unknown }[]): ScriptedReply {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const number = Number(/question (\d+)/.exec(JSON.stringify(messages[asked]!.content))![1]);
  const called = messages.slice(asked).filter(({ role }) => role === 'tool').length;
  if (number % 3 === 0 && called < 2)
    return { toolCalls: [{ name: 'note', arguments: { text: `note ${number} ${called}` } }] };
  const long = number % 5 === 0 ? ` ${'word '.repeat(1_200)}` : '';
  return { text: `answer ${number}.${long}` };
}

/** When the process is killed in a round: at the n-th request to Telegram or the model. */
function* moments(lane: number): Generator<number, never> {
  let seed = 20_260_728 + lane;
  for (;;) {
    // Numerical Recipes' generator: the same moments in every run.
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    yield (seed >>> 16) % 9;
  }
}

describe(`killed at any moment, ${kills} times`, () => {
  test.for(Array.from({ length: lanes }, (_, lane) => lane))(
    'nothing is lost, nothing comes twice, and what is uncertain is told (%d)',
    { timeout: 600_000 },
    (lane) => killAgainAndAgain(lane, Math.ceil((kills - lane) / lanes)),
  );
});

/** A round that ends before its moment kills nothing: there are as many rounds as necessary. */
async function killAgainAndAgain(lane: number, wanted: number): Promise<void> {
  await using telegram = await startFakeBotApi();
  let onModel = (): void => {};
  await using model = await startScriptedModel((request) => {
    onModel();
    return replyTo(request.messages);
  });
  await using home = await createHome({
    'pegboard.yaml': configFor(model),
    'spaces/s/space.manifest.json': JSON.stringify({ id: 's', name: 's', description: 's', tools: [] }),
    'spaces/s/agent/tools/note.md': note,
  });
  const start = (): RunningCli =>
    startPegboard(['start'], { home: home.path, env: environmentOf(telegram), apart: true });

  let running = start();
  let countdown = Number.POSITIVE_INFINITY;
  let killed = Promise.withResolvers<void>();
  const tally = { killings: 0, rounds: 0 };
  const step = (): void => {
    if (countdown-- > 0) return;
    countdown = Number.POSITIVE_INFINITY;
    running.child.kill('SIGKILL');
    tally.killings++;
    killed.resolve();
  };
  telegram.onCall(({ method }) => {
    // Idle polls don't belong to a turn.
    if (method !== 'sendChatAction') step();
  });
  onModel = step;

  const kill = moments(lane);
  try {
    while (tally.killings < wanted) {
      const round = ++tally.rounds;
      killed = Promise.withResolvers();
      countdown = kill.next().value;
      const question = telegram.write(anna, `question ${round}`);
      const settled = telegram.until(() => endOf(telegram, round, question));
      await Promise.race([killed.promise, settled]);
      if (countdown === Number.POSITIVE_INFINITY) {
        await running.ended;
        running = start();
      } else countdown = Number.POSITIVE_INFINITY;
      await settled;
    }
  } finally {
    await running[Symbol.asyncDispose]();
  }

  const { killings, rounds } = tally;
  const answers = Array.from({ length: rounds }, (_, index) => wholeAnswers(telegram, index + 1));
  expect(killings).toBe(wanted);
  expect(Math.max(...answers)).toBe(1);
  const words = telegram
    .sentTo(anna.id)
    .flatMap(({ text }) => (text.endsWith('…') ? [] : (text.match(/word/g) ?? [])));
  expect(words.length).toBeLessThanOrEqual(Math.floor(rounds / 5) * 1_200);
  const notes = (await home.read('spaces/s/notes.txt').catch(() => '')).split('\n').filter(Boolean);
  expect(new Set(notes).size).toBe(notes.length);
  using database = new DatabaseSync(join(home.path, 'data/pegboard.db'), { readOnly: true });
  const repeated = "select text from messages where role = 'user' group by text having count(*) > 1";
  expect(database.prepare(repeated).all()).toEqual([]);
  expect(telegram.sentTo(anna.id).filter(({ text }) => text.endsWith('…'))).toEqual([]);
  const told = telegram.sentTo(anna.id).filter(({ text }) => text.startsWith('⚠️')).length;
  expect(answers.filter((one) => one === 0).length).toBeLessThanOrEqual(told);
}

/** Complete answers: a draft ends with an ellipsis. */
function wholeAnswers(telegram: FakeBotApi, round: number): number {
  return telegram
    .sentTo(anna.id)
    .filter(({ text }) => new RegExp(`^answer ${round}\\.`).test(text) && !text.endsWith('…')).length;
}

/** Whether the round's question was answered, or reported as uncertain. */
function endOf(telegram: FakeBotApi, round: number, question: number): boolean {
  const isTold = telegram
    .sentTo(anna.id)
    .some(({ text, replyTo }) => text.startsWith('⚠️') && replyTo === question);
  return isTold || wholeAnswers(telegram, round) > 0;
}
