import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { createDatabase } from '../../../../host/store/database/database.ts';
import { databaseFileOf } from '../../../../host/store/database/file.ts';
import { createPostgresDatabase } from '../../../../host/store/database/postgres/database.ts';
import {
  startScriptedModel,
  type ScriptedModel,
  type ScriptedReply,
  type ScriptedRequest,
} from '../../../../host/testing/index.ts';
import { environmentOf } from '../../../plugins/builtin-telegram/bot-home.ts';
import { startPegboard } from '../../cli.ts';
import { randomFrom } from '../../data/random.ts';
import { configFor } from '../../homes/agent-home.ts';
import { createUnusedHome, type TestHome } from '../../homes/home.ts';
import { startPostgres } from '../../postgres.ts';
import { startFakeBotApi, type FakeBotApi, type FakeUser } from '../../telegram/fake-bot-api.ts';

/** What became of many turns of hosts that were killed again and again. */
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
  /** Turns that were reported as interrupted although nothing was under way in their chat when a host was killed. */
  readonly uncertainWithoutCause: number;
  /** Rows that are kept only to go on. */
  readonly leftBehind: number;
}

/** Of each turn, in order. */
const steps = ['look', 'mark', 'mark', 'look', 'mark', 'look'] as const;
/** Chats in which turns run at the same time. */
export const people = 8;
/** Turns that wait or run at a time, for each person. */
const aheadOfThem = 4;
/** Milliseconds before a kill within which a request may have been under way. */
const underWayMs = 2_000;

/** `marks`: the absolute path of the file in which effects are counted. */
const pluginFor = (marks: string): string => `import { appendFileSync } from 'node:fs';
const parameters = { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] };
const shortly = () => new Promise((resolve) => setTimeout(resolve, 3));
export default {
  setup: () => ({
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
            appendFileSync(${JSON.stringify(marks)}, what + '\\n');
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

export interface KilledTurnsOptions {
  readonly turns: number;
  readonly kills: number;
  /** Several have a home each, and share their state on Postgres. Default: 1. */
  readonly hosts?: number;
  readonly seed?: number;
}

/** What is 0 in every tally. */
export const faultless = {
  answeredTwice: 0,
  lost: 0,
  effectsTwice: 0,
  effectsMissing: 0,
  uncertainWithoutCause: 0,
  leftBehind: 0,
} as const;

/** Lets hosts answer `turns` messages, and kills them `kills` times meanwhile, at moments that come from the seed. */
export async function killDuringTurns(options: KilledTurnsOptions): Promise<TurnsTally> {
  const { turns, kills, hosts: count = 1, seed = 1 } = options;
  await using opened = new AsyncDisposableStack();
  const telegram = opened.use(await startFakeBotApi());
  let onRequest = (): void => {};
  const model = opened.use(
    await startScriptedModel((request) => {
      onRequest();
      return replyTo(request);
    }),
  );
  const server = count > 1 ? opened.use(await startPostgres()) : undefined;
  const state = await server?.createDatabase();
  const homes = await openHomes(count, state, model);
  for (const home of homes) opened.use(home);
  const users = Array.from({ length: people }, (_, at): FakeUser => ({
    id: 2_000 + at,
    is_bot: false,
    first_name: `Person ${at}`,
  }));
  const env = environmentOf(telegram, { ALLOWED_TELEGRAM_IDS: users.map(({ id }) => id).join() });
  const running = homes.map(({ path }) => startPegboard(['start'], { home: path, env, apart: true }));
  opened.defer(async () => {
    for (const host of running) await host[Symbol.asyncDispose]();
  });

  const random = randomFrom(seed);
  const wanted = turns * (steps.length + 1);
  const asked: Asked[] = [];
  const isSettled = ({ number, user, message }: Asked): boolean =>
    answersTo(telegram, number, user) > 0 || isReported(telegram, user, message);
  const chatCalls: { readonly chat: number; readonly at: number }[] = [];
  telegram.onCall(({ params }) => {
    const chat = Number(params['chat_id']);
    if (Number.isInteger(chat)) chatCalls.push({ chat, at: performance.now() });
  });
  const killedAt: number[] = [];
  const asking = (async () => {
    for (let number = 0; number < turns; number++) {
      const user = users[number % people]!;
      await telegram.until(() => asked.filter((one) => !isSettled(one)).length < people * aheadOfThem);
      asked.push({ number, user, message: telegram.write(user, `turn ${number}`) });
    }
  })();
  for (let kill = 0; kill < kills; kill++) {
    const reached = Promise.withResolvers<void>();
    let left = Math.floor((wanted / (kills + 1)) * (0.5 + random() * 0.9));
    onRequest = () => void (--left === 0 && reached.resolve());
    await reached.promise;
    await delay(random() * 20);
    const at = Math.floor(random() * count);
    killedAt.push(performance.now());
    running[at]!.child.kill('SIGKILL');
    await running[at]!.ended;
    running[at] = startPegboard(['start'], { home: homes[at]!.path, env, apart: true });
  }
  onRequest = () => {};
  await asking;
  await telegram.until(() => asked.every(isSettled));
  for (const host of running) host.child.kill('SIGTERM');
  for (const host of running) await host.ended;

  const stored = await readTurns(homes[0]!.path, state);
  const marks = readFileSync(marksIn(homes[0]!.path), 'utf8').split('\n').filter(Boolean);
  const answers = asked.map(({ number, user }) => answersTo(telegram, number, user));
  const hadCause = ({ user }: Asked): boolean =>
    chatCalls.some(
      (call) => call.chat === user.id && killedAt.some((at) => at >= call.at && at - call.at < underWayMs),
    );
  return {
    turns,
    kills: killedAt.length,
    ended: stored.ended,
    answeredTwice: answers.filter((times) => times > 1).length,
    lost: asked.filter((one) => !isSettled(one)).length,
    modelRequests: model.requests.length,
    modelRequestsWanted: wanted,
    effectsTwice: marks.length - new Set(marks).size,
    effectsMissing: stored.marked.filter((what) => !marks.includes(what)).length,
    uncertainCalls: stored.uncertainCalls,
    uncertainWithoutCause: asked.filter(
      (one) => isReported(telegram, one.user, one.message) && !hadCause(one),
    ).length,
    leftBehind: stored.leftBehind,
  };
}

interface Asked {
  readonly number: number;
  readonly user: FakeUser;
  readonly message: number;
}

const marksIn = (home: string): string => join(home, 'marks');

/** Copies of one home, apart from the file of effects, which is in the first. */
async function openHomes(
  count: number,
  state: string | undefined,
  model: ScriptedModel,
): Promise<readonly TestHome[]> {
  const homes: TestHome[] = [];
  for (let at = 0; at < count; at++) {
    const home = await createUnusedHome({
      'pegboard.yaml': JSON.stringify({
        ...(JSON.parse(configFor(model)) as object),
        plugins: { steps: { trusted: true } },
        ...(state !== undefined && { state }),
      }),
      'plugins/steps/plugin.yaml':
        'id: steps\nversion: "1.0.0"\ndescription: Steps\npacks: { steps: { description: Steps } }\n',
    });
    await home.write('plugins/steps/index.ts', pluginFor(marksIn((homes[0] ?? home).path)));
    homes.push(home);
  }
  return homes;
}

/** What the hosts have stored. `state`: of the home, if it isn't its file. */
async function readTurns(home: string, state: string | undefined) {
  await using database =
    state === undefined ? createDatabase(databaseFileOf(home)) : createPostgresDatabase(state);
  const db = await database.open();
  const rowsOf = async <Row>(text: string): Promise<readonly Row[]> =>
    (await sql.raw<Row>(text).execute(db)).rows;
  const countOf = async (what: string): Promise<number> =>
    (await rowsOf<{ count: number }>(`select count(*) as count from ${what}`))[0]!.count;
  const marked = await rowsOf<{ args: string }>(
    "select args from tool_calls where tool like '%mark' and ok = 1",
  );
  return {
    ended: await countOf("messages where role = 'assistant' and state = 'done'"),
    uncertainCalls: await countOf('tool_calls where uncertain = 1'),
    leftBehind: (await countOf('model_replies')) + (await countOf('messages where preamble is not null')),
    marked: marked.map(({ args }) => (JSON.parse(args) as { what: string }).what),
  };
}

const answersTo = (telegram: FakeBotApi, number: number, user: FakeUser): number =>
  telegram.sentTo(user.id).filter(({ text }) => text.startsWith(`answer ${number}.`) && !text.endsWith('…'))
    .length;

const isReported = (telegram: FakeBotApi, user: FakeUser, message: number): boolean =>
  telegram.sentTo(user.id).some(({ text, replyTo }) => text.startsWith('⚠️') && replyTo === message);
