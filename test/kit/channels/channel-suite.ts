import type { Kysely } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import type { Host } from '../../../host/host.ts';
import {
  startScriptedModel,
  type ScriptedModel,
  type ScriptedReply,
  type Script,
} from '../../../host/testing/index.ts';
import { pegboard, startPegboard, type CliResult, type RunningCli } from '../cli.ts';
import { configFor } from '../homes/agent-home.ts';
import { askingFiles, notesIn } from '../homes/asking-home.ts';
import { createHome, manifest, type TestHome } from '../homes/home.ts';
import type { ChannelUnderTest, OpenChannel, SaidMessage, Who } from './channel-under-test.ts';
import type { Database } from '../../../host/store/database/database.ts';
import { databaseOf } from '../database.ts';
import { waitUntil } from '../wait-until.ts';

/** A home with the channel, a model, and tools whose runs can be counted. */
interface RunningChannel extends AsyncDisposable {
  readonly channel: ChannelUnderTest;
  readonly home: TestHome;
  readonly model: ScriptedModel;
  /** Runs the host in this process, which is faster, but can't be killed. */
  startHere(more?: { readonly [name: string]: string }): Promise<void>;
  stopHere(): Promise<void>;
  /** Runs the host in a process of its own, which can be killed. */
  start(): void;
  /** After `kill`: nothing kills this one, so it runs in this process. */
  startAgain(): void;
  kill(): void;
  /** Resolves when the killed process has ended. */
  gone(): Promise<unknown>;
  /** Resolves when the channel sends this text to the person. */
  readonly says: (who: Who, text: string | RegExp) => Promise<SaidMessage>;
  command(...words: readonly string[]): Promise<CliResult>;
  readonly database: () => Database;
}

type Request = Parameters<Extract<Script, (...all: any[]) => unknown>>[0];

/** The last user message. */
const saidIn = ({ messages }: Request): string =>
  JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content);
/** Tool results after it. */
const resultsIn = ({ messages }: Request): number =>
  messages.slice(messages.findLastIndex(({ role }) => role === 'user')).filter(({ role }) => role === 'tool')
    .length;

async function open(
  openChannel: OpenChannel,
  script: Script,
  allowed: readonly Who[] = ['anna', 'ben'],
): Promise<RunningChannel> {
  await using opened = new AsyncDisposableStack();
  const model = opened.use(await startScriptedModel(script));
  const home = opened.use(await createHome());
  const channel = opened.use(await openChannel(home.path));
  const config = { ...(JSON.parse(configFor(model)) as object), plugins: channel.plugins };
  const count = manifest('count', 'command: echo counted >> notes.txt');
  const files = { ...channel.files, ...askingFiles, 'spaces/s/agent/tools/count.md': count };
  await home.write('pegboard.yaml', JSON.stringify(config));
  for (const [file, text] of Object.entries(files)) await home.write(file, text);
  const variable = `ALLOWED_${channel.name.toUpperCase()}_IDS`;
  const env = {
    TIMEZONE: 'UTC',
    [variable]: allowed.map((who) => channel.ids[who]).join(' '),
    ...channel.environment,
  };
  const options = { home: home.path, env };
  const environment = { PATH: process.env['PATH'] ?? '', ...env };
  let here: Host | undefined;
  const stopHere = async (): Promise<void> => await here?.[Symbol.asyncDispose]();
  opened.defer(stopHere);
  let running: RunningCli | undefined;
  opened.defer(async () => await running?.[Symbol.asyncDispose]());
  const owned = opened.move();
  return {
    channel,
    home,
    model,
    async startHere(more = {}) {
      here = await createHost({ home: home.path, environment: { ...environment, ...more } });
      await here.plugins.startServices();
      await channel.connected?.();
    },
    stopHere,
    start: () => void (running = startPegboard(['start'], { ...options, apart: true })),
    startAgain: () => void (running = startPegboard(['start'], options)),
    kill: () => void running!.child.kill('SIGKILL'),
    gone: () => running!.ended,
    says: (who, text) =>
      channel.until(() =>
        channel
          .sentTo(who)
          .find((one) => (typeof text === 'string' ? one.text === text : text.test(one.text))),
      ),
    command: (...words) => pegboard(words, options),
    database: () => databaseOf(home),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The question's id is on disk, so that a restart doesn't ask it again. */
async function questionIsKept({ database }: RunningChannel): Promise<void> {
  await using opened = database();
  const open = await opened.open();
  const find = open.selectFrom('channel_asks').select('token').where('message', 'is not', null);
  await waitUntil(() => find.executeTakeFirst());
}

/** All that was received is done: nothing of it is uncertain after a kill. */
async function allIsDone({ database }: RunningChannel): Promise<void> {
  await using opened = database();
  const open = await opened.open();
  const find = open.selectFrom('channel_events').select('id').where('state', '!=', 'done');
  await waitUntil(
    () => find.execute(),
    (left) => left.length === 0,
  );
}

/** Answers a question, with a button if there is one. */
const choose = (run: RunningChannel, who: Who, question: SaidMessage, label: string): Promise<void> =>
  run.channel.hasButtons ? run.channel.press(who, question, label) : run.channel.write(who, label);

const answersIn = ({ channel }: RunningChannel, who: Who, text: string): number =>
  channel.sentTo(who).filter((one) => one.text.startsWith(text)).length;

const asksFirst = (request: Request): ScriptedReply => {
  if (!saidIn(request).includes('note it')) return { text: 'as you say' };
  return resultsIn(request) === 0
    ? { toolCalls: [{ name: 'note', arguments: { text: 'x' } }] }
    : { text: 'that was it' };
};

/** When a host is killed during a turn. */
export const killMoments = [
  'when the event is on disk',
  'while the model works',
  'after a tool has run',
  'while it answers',
] as const;
type KillMoment = (typeof killMoments)[number];

/**
 * The guarantees of the host for every channel, independent of its driver. `moments`: those of its kills. A file of CI
 * has the others, with `testMoreKills`.
 */
export function testChannel(
  name: string,
  openChannel: OpenChannel,
  moments: readonly KillMoment[] = killMoments,
): void {
  describe(`as a channel, ${name}`, { timeout: 120_000 }, () => {
    test('answers the messages of a chat in their order, and lets no chat wait for another', async () => {
      const gate = Promise.withResolvers<void>();
      await using run = await open(openChannel, async (request) => {
        const [, word] = /say (\w+)/.exec(saidIn(request)) ?? [];
        if (word === 'one') await gate.promise;
        return { text: `answer ${word}` };
      });
      const { channel } = run;
      await run.startHere();
      await channel.write('anna', 'say one');
      await run.model.received(0);
      await channel.write('anna', 'say two');
      // A command needs no agent, but waits for its turn too.
      await channel.write('anna', '/new');
      await channel.write('ben', 'say three');
      await run.says('ben', 'answer three');
      expect(channel.sentTo('anna')).toEqual([]);
      gate.resolve();
      await run.says('anna', 'A fresh conversation.');
      const answers = channel.sentTo('anna').map(({ text }) => text);
      expect(answers).toEqual(['answer one', 'answer two', 'A fresh conversation.']);
    });

    test('shows an agent the id of a message behind its tag, and takes such marks out of answers', async () => {
      const markIn = (request: Request): string => /\[\w+:[^\]\s]+\] (?=hi)/.exec(saidIn(request))?.[0] ?? '';
      await using run = await open(openChannel, (request) => ({ text: `${markIn(request)}hello` }));
      const { channel, model } = run;
      await run.startHere();
      await channel.write('anna', 'hi');
      await run.says('anna', 'hello');
      expect(markIn(model.requests[0]!)).toMatch(new RegExp(`^\\[${channel.messageTag}:`));
    });

    test('answers an event that comes again once, also after a restart', async () => {
      await using run = await open(openChannel, (request) => ({
        text: saidIn(request).includes('the last') ? 'goodbye' : 'hello',
      }));
      const { channel } = run;
      run.start();
      await channel.write('anna', 'hi');
      await run.says('anna', 'hello');
      await channel.taken();
      await channel.repeat();
      await channel.taken();
      await allIsDone(run);
      run.kill();
      await run.gone();
      await channel.repeat();
      run.startAgain();
      await channel.taken();
      await channel.write('anna', 'the last');
      await run.says('anna', 'goodbye');
      expect(channel.sentTo('anna').map(({ text }) => text)).toEqual(['hello', 'goodbye']);
    });

    test('keeps what came while the host was away', async () => {
      await using run = await open(openChannel, () => ({ text: 'hello' }));
      await run.channel.write('anna', 'hi');
      await run.startHere();
      await run.says('anna', 'hello');
    });

    testKills(openChannel, moments);

    testRefusals(openChannel);

    test('asks whoever began the turn, and counts one answer', async () => {
      await using run = await open(openChannel, asksFirst);
      const { channel, says } = run;
      await run.startHere();
      await channel.write('anna', 'note it');
      const question = await says('anna', /notes\.txt/);
      expect(question.text).toContain("printf '%s\\n' x");
      await choose(run, 'ben', question, 'Allow once');
      await channel.write('ben', 'are you there?');
      await says('ben', 'as you say');
      expect(await notesIn(run.home)).toEqual([]);
      if (!channel.hasButtons) {
        await channel.write('anna', 'maybe');
        await says('anna', /^Write one of: Allow once, /);
      }
      await choose(run, 'anna', question, 'Allow once');
      await says('anna', 'that was it');
      expect(await notesIn(run.home)).toEqual(['x']);
      if (channel.hasButtons) return;
      await channel.write('anna', '/new');
      await channel.write('anna', 'note it');
      await channel.until(() => channel.sentTo('anna').filter(({ text }) => text.includes('notes.txt'))[1]);
      await channel.write('anna', 'No, ask Ben first');
      await channel.until(() => JSON.stringify(run.model.requests.at(-1)).includes('ask Ben first'));
      expect(await notesIn(run.home)).toEqual(['x']);
    });

    test('finds an open question again after a restart, and takes the answer from in between', async () => {
      await using run = await open(openChannel, asksFirst);
      const { channel, says } = run;
      run.start();
      await channel.write('anna', 'note it');
      const question = await says('anna', /notes\.txt/);
      await questionIsKept(run);
      run.kill();
      await run.gone();
      await choose(run, 'anna', question, 'Allow once');
      run.startAgain();
      await says('anna', 'that was it');
      expect(await notesIn(run.home)).toEqual(['x']);
      expect(channel.sentTo('anna').filter(({ text }) => text.includes('notes.txt'))).toHaveLength(1);
    });

    test('takes no answer to a question that has expired', async () => {
      await using run = await open(openChannel, asksFirst);
      const { channel, says } = run;
      await run.startHere();
      await channel.write('anna', 'note it');
      const question = await says('anna', /notes\.txt/);
      await questionIsKept(run);
      {
        await using database = run.database();
        const open = await database.open();
        await open.updateTable('channel_asks').set({ expires_at: new Date().toISOString() }).execute();
      }
      await choose(run, 'anna', question, 'Allow once');
      await channel.taken();
      await channel.write('ben', 'are you there?');
      await says('ben', 'as you say');
      expect(await notesIn(run.home)).toEqual([]);
    });

    test('takes a text as the answer to a question that asks for one', async () => {
      await using run = await open(openChannel, (request) =>
        resultsIn(request) === 0
          ? { toolCalls: [{ name: 'ask_user', arguments: { question: 'Which colour?' } }] }
          : { text: `it is ${request.messages.at(-1)!.content}` },
      );
      await run.startHere();
      await run.channel.write('anna', 'paint it');
      await run.says('anna', /^Which colour\?/);
      await run.channel.write('anna', 'blue');
      await run.says('anna', 'it is blue');
      expect(run.model.requests).toHaveLength(2);
    });

    test('answers nobody whom the owner has not let in, and gives them a code, once', async () => {
      await using run = await open(openChannel, () => ({ text: 'welcome' }), ['anna']);
      const { channel, says } = run;
      await run.startHere();
      await channel.write('ben', 'hello?');
      const offer = await says('ben', /pair [A-Z2-9]{8}\b/);
      await channel.write('ben', 'hello??');
      await channel.write('anna', 'hi');
      await says('anna', 'welcome');
      await channel.taken();
      expect(channel.sentTo('ben')).toHaveLength(1);
      expect(run.model.requests).toHaveLength(1);
      const [, code] = /pair ([A-Z2-9]{8})/.exec(offer.text)!;
      // As it was copied from the bot's message.
      const [line] = /[^\n`]*pair [A-Z2-9]{8}`?/.exec(offer.text)!;
      expect(await run.command(channel.name, 'pair', line)).toMatchObject({ code: 0 });
      await says('ben', /^You are paired/);
      // The message that the code was for, and no other of that time.
      await says('ben', 'welcome');
      expect(JSON.stringify(run.model.requests[1]!.messages)).toContain('hello?');
      expect(JSON.stringify(run.model.requests[1]!.messages)).not.toContain('hello??');
      await channel.write('ben', 'hello!');
      await channel.until(() => run.model.requests.length === 3);
      expect(await run.command(channel.name, 'unpair', channel.ids.ben)).toMatchObject({ code: 0 });
      await channel.write('ben', 'still there?');
      await says('ben', new RegExp(`pair (?!${code})[A-Z2-9]{8}`));
      expect(run.model.requests).toHaveLength(3);
    });

    test('begins a fresh conversation with /new', async () => {
      await using run = await open(openChannel, () => ({ text: 'hello' }));
      await run.startHere();
      await run.channel.write('anna', 'my name is Anna');
      await run.says('anna', 'hello');
      await run.channel.write('anna', '/new');
      await run.says('anna', 'A fresh conversation.');
      await run.channel.write('anna', 'who am I?');
      await run.channel.until(() => run.channel.sentTo('anna').length === 3);
      expect(JSON.stringify(run.model.requests[1]!.messages)).not.toContain('my name is Anna');
    });

    test('delivers what is sent from elsewhere', async () => {
      await using run = await open(openChannel, () => ({ text: 'hello' }));
      await run.channel.write('anna', 'hi');
      const { name, ids, chats = ids } = run.channel;
      const to = `${name}/${chats.anna}`;
      const words = ['schedule', 'add', 'in 1 second', 'Water the plants', '--message', '--to', to];
      expect(await run.command(...words)).toMatchObject({ code: 0 });
      await run.startHere();
      await run.says('anna', 'hello');
      await run.says('anna', /Water the plants/);
    });
  });
}

/** Resolves when an answer has been refused for the account or the chat, and waits. */
async function isHeldBack({ database }: RunningChannel): Promise<void> {
  await using opened = database();
  const open = await opened.open();
  const find = open
    .selectFrom('channel_events')
    .select('id')
    .where('state', '=', 'answered')
    .where('job', 'is', null);
  await waitUntil(() => find.executeTakeFirst());
  // A host that is killed between telling the owner and noting it tells them again.
  const isTold = open.selectFrom('channel_holds').select('chat').where('told', '=', 1);
  await waitUntil(() => isTold.executeTakeFirst());
}

/** What the owner was told at the terminal, since there is no other channel. */
async function toldOf({ database }: RunningChannel): Promise<readonly string[]> {
  await using opened = database();
  const open = (await opened.open()) as unknown as Kysely<{ channels_messages: { text: string } }>;
  const rows = await open.selectFrom('channels_messages').select('text').execute();
  return rows.flatMap(({ text }) => (text.includes('takes no messages') ? [text] : []));
}

function testRefusals(openChannel: OpenChannel): void {
  test.for(['account', 'chat'] as const)(
    'keeps every answer while the %s is refused, asks no model, tells the owner once, and goes on in order',
    async (what) => {
      const gate = Promise.withResolvers<void>();
      let isRefused = false;
      const asked: string[] = [];
      await using run = await open(openChannel, async (request) => {
        const [, word] = /say (\w+)/.exec(saidIn(request)) ?? [];
        if (isRefused) asked.push(word!);
        if (word === 'one') await gate.promise;
        return { text: `answer ${word}` };
      });
      const { channel } = run;
      await run.startHere();
      for (const word of ['one', 'two', 'three']) await channel.write('anna', `say ${word}`);
      await run.model.received(0);
      await channel.taken();
      const refusal = channel.refuse(what === 'chat' ? 'anna' : 'account');
      isRefused = true;
      gate.resolve();
      await isHeldBack(run);
      if (what === 'chat') {
        await channel.write('ben', 'say hello');
        await run.says('ben', 'answer hello');
      }
      expect(asked).toEqual(what === 'chat' ? ['hello'] : []);
      expect(channel.sentTo('anna')).toEqual([]);
      isRefused = false;
      refusal[Symbol.dispose]();
      await channel.write('anna', 'say four');
      await run.says('anna', 'answer four');
      const answers = channel.sentTo('anna').map(({ text }) => text);
      expect(answers).toEqual(['one', 'two', 'three', 'four'].map((word) => `answer ${word}`));
      expect(await toldOf(run)).toHaveLength(1);
      await allIsDone(run);
    },
  );

  test('asks its question when the chat takes messages again, and goes on with the turn', async () => {
    const gate = Promise.withResolvers<void>();
    await using run = await open(openChannel, async (request) => {
      if (resultsIn(request) === 0) await gate.promise;
      return asksFirst(request);
    });
    const { channel, says } = run;
    await run.startHere();
    await channel.write('anna', 'note it');
    await run.model.received(0);
    const refusal = channel.refuse('anna');
    gate.resolve();
    await isSuspended(run);
    refusal[Symbol.dispose]();
    await channel.write('anna', 'thank you');
    const question = await says('anna', /notes\.txt/);
    await choose(run, 'anna', question, 'Allow once');
    await says('anna', 'that was it');
    // Without buttons, it was taken for an answer to the question.
    await says('anna', channel.hasButtons ? 'as you say' : /^Write one of: /);
    expect(await notesIn(run.home)).toEqual(['x']);
    expect(run.model.requests).toHaveLength(channel.hasButtons ? 3 : 2);
  });
}

/** Of an account whose token is refused from now on. */
export function testNewToken(name: string, openChannel: OpenChannel): void {
  test(`as a channel, ${name} sends what waits once it is started with another token`, async () => {
    const gate = Promise.withResolvers<void>();
    await using run = await open(openChannel, async (request) => {
      await gate.promise;
      return { text: `answer ${/say (\w+)/.exec(saidIn(request))?.[1]}` };
    });
    const { channel, model } = run;
    await run.startHere();
    for (const word of ['one', 'two']) await channel.write('anna', `say ${word}`);
    await model.received(0);
    await channel.taken();
    const renewed = channel.renewToken!();
    gate.resolve();
    await isHeldBack(run);
    await run.stopHere();
    await run.startHere(renewed);
    await run.says('anna', 'answer two');
    expect(channel.sentTo('anna').map(({ text }) => text)).toEqual(['answer one', 'answer two']);
    expect(model.requests).toHaveLength(2);
    await allIsDone(run);
  });
}

/** When a host is killed whose account or chat is refused. */
export const refusedMoments = ['before the first refusal', 'while answers wait', 'when they go on'] as const;

/** Kills of a host that can't send. */
export function testRefusedKills(
  name: string,
  openChannel: OpenChannel,
  moments: readonly (typeof refusedMoments)[number][] = refusedMoments,
): void {
  const cases = moments.flatMap((moment) => (['account', 'chat'] as const).map((what) => ({ what, moment })));
  describe(`as a channel, ${name}`, { timeout: 120_000 }, () => {
    test.for(cases)(
      'loses nothing of what waits when its $what is refused and it is killed $moment',
      async ({ what, moment }) => {
        const gate = Promise.withResolvers<void>();
        let hasBeenKilled = false;
        const kill = (at: typeof moment): boolean => {
          if (hasBeenKilled || at !== moment) return false;
          hasBeenKilled = true;
          run.kill();
          return true;
        };
        await using run: RunningChannel = await open(openChannel, async (request) => {
          const [, word] = /say (\w+)/.exec(saidIn(request)) ?? [];
          if (word === 'one') await gate.promise;
          if (kill('before the first refusal')) return { text: 'never heard', faults: { hangAfter: 0 } };
          return { text: `answer ${word}` };
        });
        const { channel } = run;
        channel.onArrival(() => kill('when they go on'));
        run.start();
        for (const word of ['one', 'two', 'three']) await channel.write('anna', `say ${word}`);
        await run.model.received(0);
        await channel.taken();
        const refusal = channel.refuse(what === 'chat' ? 'anna' : 'account');
        gate.resolve();
        if (moment !== 'before the first refusal') await isHeldBack(run);
        kill('while answers wait');
        if (moment !== 'when they go on') {
          await run.gone();
          run.startAgain();
        }
        refusal[Symbol.dispose]();
        await channel.write('anna', 'say four');
        if (moment === 'when they go on') {
          await run.gone();
          run.startAgain();
        }
        await run.says('anna', 'answer four');
        const said = channel.sentTo('anna').map(({ text }) => text);
        const answers = ['one', 'two', 'three', 'four'].map((word) => `answer ${word}`);
        const sent = said.filter((text) => !text.startsWith('⚠️'));
        // What was being sent when the process ended may have arrived or not, and that is said.
        const missing = answers.filter((text) => !sent.includes(text)).length;
        const doubts = said.length - sent.length;
        expect(sent).toEqual(answers.filter((text) => sent.includes(text)));
        expect(doubts).toBeLessThanOrEqual(moment === 'when they go on' ? 1 : 0);
        expect(missing).toBeLessThanOrEqual(doubts);
        if (moment === 'while answers wait') expect(await toldOf(run)).toHaveLength(1);
      },
    );
  });
}

/** Resolves when a turn waits for its chat in the middle. */
async function isSuspended({ database }: RunningChannel): Promise<void> {
  await using opened = database();
  const open = await opened.open();
  const find = open.selectFrom('channel_events').select('id').where('begun', '=', 1).where('job', 'is', null);
  await waitUntil(() => find.executeTakeFirst());
}

/** Further kills of a channel that `testChannel` kills only at some moments. */
export function testMoreKills(name: string, openChannel: OpenChannel, moments: readonly KillMoment[]): void {
  describe(`as a channel, ${name}`, { timeout: 120_000 }, () => testKills(openChannel, moments));
}

function testKills(openChannel: OpenChannel, moments: readonly KillMoment[]): void {
  test.for(moments)('loses nothing and says nothing twice when it is killed %s', async (moment) => {
    let hasBeenKilled = false;
    const kill = (at: KillMoment): boolean => {
      if (hasBeenKilled || at !== moment) return false;
      hasBeenKilled = true;
      run.kill();
      return true;
    };
    await using run: RunningChannel = await open(openChannel, (request) => {
      const said = saidIn(request);
      if (said.includes('and now')) return { text: 'the next answer' };
      if (kill('while the model works')) return { text: 'never heard', faults: { hangAfter: 0 } };
      if (resultsIn(request) === 0) return { toolCalls: [{ name: 'count', arguments: {} }] };
      if (kill('after a tool has run')) return { text: 'never heard', faults: { hangAfter: 0 } };
      return { text: 'the answer' };
    });
    const { channel } = run;
    channel.onArrival(() => kill('while it answers'));
    run.start();
    await channel.write('anna', 'count it');
    if (moment === 'when the event is on disk') {
      await channel.taken();
      kill(moment);
    }
    await run.gone();
    run.startAgain();
    await channel.until(() => channel.sentTo('anna').length > 0);
    await channel.write('anna', 'and now?');
    await run.says('anna', 'the next answer');
    const told = channel.sentTo('anna').filter(({ text }) => text.startsWith('⚠️')).length;
    const answers = answersIn(run, 'anna', 'the answer');
    expect({ told, answers }, JSON.stringify(channel.sentTo('anna'))).toSatisfy(() =>
      moment === 'while it answers' ? answers === 1 && told <= 1 : answers === 1 && told === 0,
    );
    expect(await notesIn(run.home)).toEqual(['counted']);
  });
}
