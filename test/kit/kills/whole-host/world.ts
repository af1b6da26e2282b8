import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { startScriptedModel } from '../../../../host/testing/index.ts';
import { databaseFileOf } from '../../../../host/store/database/file.ts';
import { environmentOf } from '../../../plugins/builtin-telegram/bot-home.ts';
import { pegboard, startPegboard, type CliResult, type RunningCli } from '../../cli.ts';
import { anna, ben, startFakeBotApi, type FakeBotApi, type FakeUser } from '../../telegram/fake-bot-api.ts';
import { createUnusedHome, type TestHome } from '../../homes/home.ts';
import type { Done } from '../done.ts';
import { changing, filesOf } from './files.ts';
import { createWholeHostModel, type DeliveredCall } from './model.ts';

/** A question that was asked in Telegram. */
interface Ask {
  readonly number: number;
  readonly user: FakeUser;
  /** The message's id. */
  readonly message: number;
}

/** A home with everything in it, and the servers that it needs, which keep running while its hosts are killed. */
export interface World extends AsyncDisposable {
  readonly home: TestHome;
  readonly telegram: FakeBotApi;
  readonly delivered: readonly DeliveredCall[];
  readonly asks: readonly Ask[];
  /** Actions that commands have acknowledged. */
  readonly done: Done[];
  /** The last saved versions. */
  readonly versions: ReadonlyMap<string, number>;
  /** Called with everything that reaches Telegram or the model. */
  onEvent: () => void;
  start(): RunningCli;
  /** Runs a command to its end. */
  command(args: readonly string[], input?: string): Promise<CliResult>;
  /** As a process that may be killed. */
  begin(args: readonly string[]): RunningCli;
  ask(): void;
  save(file: keyof typeof changing): Promise<void>;
  readonly isSettled: (ask: Ask) => boolean;
  /** Polls until nothing is due, running or unreported. */
  quiet(): Promise<void>;
}

const carla: FakeUser = { id: 1003, is_bot: false, first_name: 'Carla' };
const users = [anna, ben, carla];

export async function openWorld(): Promise<World> {
  await using opened = new AsyncDisposableStack();
  const telegram = opened.use(await startFakeBotApi());
  const scripted = createWholeHostModel(() => world.onEvent());
  const model = opened.use(await startScriptedModel(scripted.script));
  const home = opened.use(await createUnusedHome());
  for (const [file, text] of Object.entries(filesOf(home.path, model))) await home.write(file, text);
  const env = environmentOf(telegram, { ALLOWED_TELEGRAM_IDS: users.map(({ id }) => id).join() });
  const asks: Ask[] = [];
  const versions = new Map<string, number>();
  const options = { home: home.path, env };
  const allow = allowEverything(telegram);
  telegram.onCall(({ method }) => {
    if (method !== 'sendChatAction') world.onEvent();
    allow();
  });
  const owned = opened.move();
  const world: World = {
    home,
    telegram,
    delivered: scripted.delivered,
    asks,
    done: [],
    versions,
    onEvent: () => {},
    start: () => startPegboard(['start'], { ...options, apart: true }),
    command: (args, input) => pegboard(args, { ...options, ...(input !== undefined && { input }) }),
    begin: (args) => startPegboard(args, { ...options, apart: true }),
    ask() {
      const number = asks.length;
      const user = users[number % users.length]!;
      asks.push({ number, user, message: telegram.write(user, `ask ${number}`) });
    },
    async save(file) {
      const version = (versions.get(file) ?? 0) + 1;
      // Written atomically, as editors do, so that a starting process finds one version or the other.
      const draft = await home.write(`${file}.draft`, changing[file](version));
      await rename(draft, join(home.path, file));
      versions.set(file, version);
    },
    isSettled: ({ number, user, message }) =>
      answersTo(telegram, number, user) > 0 || isReportedUncertain(telegram, message, user),
    quiet: () => untilQuiet(home.path),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  return world;
}

/** Answers each question with "once": after untrusted content, the host asks before anything that isn't read-only. */
function allowEverything(telegram: FakeBotApi): () => void {
  const pressed = new Set<number>();
  return () => {
    for (const { id, chat, buttons } of telegram.messages) {
      const yes = buttons.find(({ text }) => text === 'Yes' || text === 'Allow once');
      if (pressed.has(id) || !yes) continue;
      pressed.add(id);
      telegram.press(
        users.find((user) => user.id === chat)!,
        id,
        yes.text,
      );
    }
  };
}

/** Only complete answers: a draft ends with an ellipsis. */
export const answersTo = (telegram: FakeBotApi, ask: number, user: FakeUser): number =>
  telegram.sentTo(user.id).filter(({ text }) => text.startsWith(`answer ${ask}.`) && !text.endsWith('…'))
    .length;

/** Whether its outcome was reported as unknown, or its turn was stopped because too many hosts have died during it. */
export const isReportedUncertain = (telegram: FakeBotApi, message: number, user: FakeUser): boolean =>
  telegram
    .sentTo(user.id)
    .some(
      ({ text, replyTo }) =>
        (text.startsWith('⚠️') || text.includes('Pegboard has ended 5 times')) && replyTo === message,
    );

const open = `
  select 'event' as what, id from channel_events where state in ('new', 'working', 'answered')
    or (state = 'uncertain' and told = 0)
  union all select 'schedule', id from scheduler_schedules where state = 'active'
  union all select 'run', id from scheduler_runs where state = 'running' or delivery = 'pending'
  union all select 'job', id from jobs where (state = 'running' and tool != 'hang')
    or (state != 'running' and announcement is null) or announcement = 'sending'`;

async function untilQuiet(home: string): Promise<void> {
  using database = new DatabaseSync(databaseFileOf(home), { readOnly: true, timeout: 5_000 });
  const look = database.prepare(open);
  const late = performance.now() + 60_000;
  for (let left = look.all(); left.length > 0; left = look.all()) {
    if (performance.now() > late)
      throw new Error(
        `not quiet in a minute: ${left.map(({ what, id }) => `${String(what)} ${String(id)}`).join()}`,
      );
    await delay(20);
  }
}
