import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { readFileSync } from 'node:fs';
import { databaseFileOf } from '../../../../host/store/database/file.ts';
import {
  startScriptedModel,
  type ScriptedReply,
  type ScriptedRequest,
} from '../../../../host/testing/index.ts';
import { environmentOf } from '../../../plugins/builtin-telegram/bot-home.ts';
import { startPegboard, type RunningCli } from '../../cli.ts';
import { randomFrom } from '../../data/random.ts';
import { configFor } from '../../homes/agent-home.ts';
import { createHome } from '../../homes/home.ts';
import { startFakeBotApi, type FakeBotApi, type FakeUser } from '../../telegram/fake-bot-api.ts';

/** What became of many turns of a host that was killed again and again. */
export interface TurnsTally {
  readonly turns: number;
  readonly kills: number;
  /** Turns that have ended. */
  readonly ended: number;
  /** Answers that reached their chat more than once. */
  readonly answeredTwice: number;
  /** Answers that neither reached their chat nor were reported. */
  readonly lost: number;
  readonly modelRequests: number;
  /** Requests without a crash. */
  readonly modelRequestsWanted: number;
  /** Effects that happened more than once. */
  readonly effectsTwice: number;
  /** Calls that were answered as done and had no effect. */
  readonly effectsMissing: number;
  readonly uncertainCalls: number;
  /** Rows that are kept only to go on. */
  readonly leftBehind: number;
}

/** Of each turn, in order. */
const steps = ['look', 'mark', 'mark', 'look', 'mark', 'look'] as const;
const people = 8;

const plugin = `import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
const parameters = { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] };
const shortly = () => new Promise((resolve) => setTimeout(resolve, 3));
export default {
  setup: ({ home }: { home: string }) => ({
    packs: {
      steps: [
        {
          name: 'look', description: 'Looks at something', parameters, annotations: { readOnlyHint: true },
          async execute({ what }: { what: string }): Promise<string> {
            await shortly();
            return 'seen ' + what;
          },
        },
        {
          name: 'mark', description: 'Marks something', parameters,
          async execute({ what }: { what: string }): Promise<string> {
            await shortly();
            appendFileSync(join(home, 'marks'), what + '\\n');
            await shortly();
            return 'marked ' + what;
          },
        },
      ],
    },
  }),
};
`;

/** A step after the other, as far as the turn has come. */
function replyTo({ messages }: ScriptedRequest): ScriptedReply {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const number = /turn (\d+)/.exec(JSON.stringify(messages[at].content))![1]!;
  const done = messages.slice(at).filter(({ role }) => role === 'tool').length;
  const step = steps[done];
  if (step === undefined) return { text: `answer ${number}.` };
  return {
    toolCalls: [{ name: step, arguments: { what: `${number}/${done}` }, id: `call_${number}_${done}` }],
  };
}

/** Lets one host answer `turns` messages, and kills it `kills` times meanwhile, at moments that come from the seed. */
export async function killDuringTurns(turns: number, kills: number, seed = 1): Promise<TurnsTally> {
  await using telegram = await startFakeBotApi();
  let onRequest = (): void => {};
  await using model = await startScriptedModel((request) => {
    onRequest();
    return replyTo(request);
  });
  await using home = await createHome({
    'pegboard.yaml': JSON.stringify({
      ...(JSON.parse(configFor(model)) as object),
      plugins: { steps: { trusted: true } },
    }),
    'plugins/steps/plugin.yaml':
      'id: steps\nversion: "1.0.0"\ndescription: Steps\npacks: { steps: { description: Steps } }\n',
    'plugins/steps/index.ts': plugin,
  });
  const users = Array.from({ length: people }, (_, at): FakeUser => ({
    id: 2_000 + at,
    is_bot: false,
    first_name: `Person ${at}`,
  }));
  const env = environmentOf(telegram, { ALLOWED_TELEGRAM_IDS: users.map(({ id }) => id).join() });
  const start = (): RunningCli => startPegboard(['start'], { home: home.path, env });

  const random = randomFrom(seed);
  const wanted = turns * (steps.length + 1);
  const asked = Array.from({ length: turns }, (_, number) => {
    const user = users[number % people]!;
    return { number, user, message: telegram.write(user, `turn ${number}`) };
  });
  let running = start();
  for (let kill = 0; kill < kills; kill++) {
    const reached = Promise.withResolvers<void>();
    let left = Math.floor((wanted / (kills + 1)) * (0.5 + random() * 0.9));
    onRequest = () => void (--left === 0 && reached.resolve());
    await reached.promise;
    await delay(random() * 20);
    running.child.kill('SIGKILL');
    await running.ended;
    running = start();
  }
  onRequest = () => {};
  const isSettled = ({ number, user, message }: (typeof asked)[number]): boolean =>
    answersTo(telegram, number, user) > 0 || isReported(telegram, user, message);
  await telegram.until(() => asked.every(isSettled));
  running.child.kill('SIGTERM');
  await running.ended;

  using database = new DatabaseSync(databaseFileOf(home.path), { readOnly: true });
  const count = (sql: string): number => Number(database.prepare(sql).get()!['count']);
  const marks = readFileSync(join(home.path, 'marks'), 'utf8').split('\n').filter(Boolean);
  const marked = database.prepare("select args from tool_calls where tool like '%mark' and ok = 1").all();
  const answers = asked.map(({ number, user }) => answersTo(telegram, number, user));
  return {
    turns,
    kills,
    ended: count("select count(*) as count from messages where role = 'assistant' and state = 'done'"),
    answeredTwice: answers.filter((times) => times > 1).length,
    lost: asked.filter((one) => !isSettled(one)).length,
    modelRequests: model.requests.length,
    modelRequestsWanted: wanted,
    effectsTwice: marks.length - new Set(marks).size,
    effectsMissing: marked.filter(
      ({ args }) => !marks.includes((JSON.parse(String(args)) as { what: string }).what),
    ).length,
    uncertainCalls: count('select count(*) as count from tool_calls where uncertain = 1'),
    leftBehind: count(
      'select (select count(*) from model_replies) + (select count(*) from messages where preamble is not null) as count',
    ),
  };
}

const answersTo = (telegram: FakeBotApi, number: number, user: FakeUser): number =>
  telegram.sentTo(user.id).filter(({ text }) => text.startsWith(`answer ${number}.`) && !text.endsWith('…'))
    .length;

const isReported = (telegram: FakeBotApi, user: FakeUser, message: number): boolean =>
  telegram.sentTo(user.id).some(({ text, replyTo }) => text.startsWith('⚠️') && replyTo === message);
