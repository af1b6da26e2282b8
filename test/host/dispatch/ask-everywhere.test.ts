import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Answer, Ask } from '../../../host/api/ask.ts';
import type { OpenQuestion } from '../../../host/api/questions.ts';
import type { ToolResult } from '../../../host/api/result.ts';
import { AnsweredElsewhere } from '../../../host/core/answered-elsewhere.ts';
import { askElsewhere } from '../../../host/dispatch/ask-elsewhere.ts';
import type { AskOthers } from '../../../host/dispatch/ask-everywhere.ts';
import type { Database } from '../../../host/store/database/database.ts';
import { createQuestions, type StoredQuestions } from '../../../host/store/owner/questions.ts';
import { kernel } from '../../kit/dispatch.ts';
import { createHome, type TestHome } from '../../kit/homes/home.ts';
import { createRandom } from '../../kit/data/fuzz.ts';
import { createMovedClock } from '../../kit/moved-clock.ts';
import { echoTool } from '../../kit/source.ts';
import { databaseOf } from '../../kit/database.ts';

let home: TestHome;
let databases: Database[];
/** Stores of the host, and of another process. */
let here: StoredQuestions;
let there: StoredQuestions;
let ran: unknown[];

beforeEach(async () => {
  home = await createHome();
  databases = [0, 1].map(() => databaseOf(home));
  [here, there] = databases.map((database) => createQuestions(database)) as [
    StoredQuestions,
    StoredQuestions,
  ];
  ran = [];
});
afterEach(async () => {
  for (const database of databases) await database[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

async function open(options: Partial<Parameters<typeof kernel>[1]> & { others?: AskOthers } = {}) {
  const { others = () => [], ...rest } = options;
  const tool = echoTool({
    confirm: true,
    execute: (args) => {
      ran.push(args);
      return 'ran';
    },
  });
  const { call } = await kernel([tool], { elsewhere: { questions: here, others }, ...rest });
  return (ask: Ask | undefined, args: object = { text: 'x' }): Promise<ToolResult> =>
    call('echo', args, ask && { ask });
}

const waits: Ask = (_question, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

/** Waits for events that come later. */
const patience = { timeout: 50_000, interval: 5 };

const waiting = (): Promise<OpenQuestion> =>
  vi.waitFor(async () => {
    const [question] = await there.list();
    expect(question).toBeDefined();
    return question!;
  }, patience);
const allow = { decision: 'once', by: 'the owner' } as const;
const deny = { decision: 'no', by: 'the owner' } as const;

describe('a question that is asked in one place', () => {
  test('is seen elsewhere exactly as it was asked, and answered there', async () => {
    const call = await open();
    const reasons: unknown[] = [];
    const running = call(async (question, signal) => {
      expect(question.detail).toContain('"text": "x"');
      await waits(question, signal).catch((reason: unknown) => reasons.push(reason));
      return { action: 'cancel' };
    });
    const question = await waiting();
    expect(question).toMatchObject({
      tool: 'memory.echo',
      asker: 'test',
      unattended: false,
      choices: ['once', 'always'],
    });
    expect(question.detail).toContain('"text": "x"');
    expect(await there.answer(question.id, allow)).toMatchObject({ counts: true });
    expect((await running).error).toBeUndefined();
    expect(ran).toEqual([{ text: 'x' }]);
    expect(reasons).toEqual([new AnsweredElsewhere(allow)]);
    expect(await there.list()).toEqual([]);
    expect(await there.answer(question.id, deny)).toMatchObject({ counts: false, decided: allow });
  });

  test('is declined elsewhere, and says by whom', async () => {
    const call = await open();
    const running = call(waits);
    await there.answer((await waiting()).id, deny);
    expect((await running).error).toMatchObject({
      code: 'PEG_DECLINED',
      message: 'memory.echo was not run: declined by the owner.',
    });
    expect(ran).toEqual([]);
  });

  test('the first answer counts, and the others learn who gave it', async () => {
    const random = createRandom(20_261_121);
    const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, random.below(4)));
    let lost = 0;
    let allowed = 0;
    // Whether an answer comes too late is a matter of moments: some has to.
    const goesOn = (round: number): boolean => round < 100 || (lost === 0 && round < 2_000);
    for (let round = 0; goesOn(round); round++) {
      const [own, theirs, channel] = [0, 1, 2].map(() => random.chance(0.5));
      const toAnswer = (accepts: boolean | undefined, by: string): Answer => ({
        action: accepts ? 'accept' : 'decline',
        by,
        onLost: ({ message }) => {
          expect(message).toMatch(/^(Allowed|Declined) by (the owner|here|channel)$/);
          lost++;
        },
      });
      const gate = Promise.withResolvers<void>();
      const others: AskOthers = () => [gate.promise.then(soon).then(() => toAnswer(channel, 'channel'))];
      const call = await open({ others });
      const running = call(() => gate.promise.then(soon).then(() => toAnswer(own, 'here')));
      const { id } = await waiting();
      gate.resolve();
      await soon();
      const elsewhere = await there.answer(id, theirs ? allow : deny);
      const result = await running;
      const { decided } = (await there.answer(id, deny))!;
      const expected = { here: own, channel, 'the owner': theirs }[decided!.by];
      if (expected) allowed++;
      expect(elsewhere!.counts).toBe(decided!.by === 'the owner');
      expect(result.error?.code, `round ${round}`).toBe(expected ? undefined : 'PEG_DECLINED');
      expect(ran).toHaveLength(allowed);
    }
    expect(lost).toBeGreaterThan(0);
  });
});

describe('work that nobody attends', () => {
  test('waits for the owner elsewhere, and says that nobody is there', async () => {
    const asked: boolean[] = [];
    const call = await open({
      others: ({ unattended }) => {
        asked.push(unattended);
        return [];
      },
    });
    const running = call(askElsewhere);
    await vi.waitFor(async () => expect(await there.list()).toMatchObject([{ unattended: true }]), patience);
    await there.answer((await waiting()).id, allow);
    expect((await running).error).toBeUndefined();
    expect(asked).toEqual([false, true]);
  });

  test("can't be asked where questions can't be stored", async () => {
    const questions = {
      open: () => Promise.reject(new Error('the disk is full')),
      isWatched: async () => false,
    };
    const call = await open({ elsewhere: { questions, others: () => [] } });
    expect((await call(askElsewhere)).error?.code).toBe('PEG_NOBODY_TO_ASK');
    expect((await call(async () => ({ action: 'accept' }))).error).toBeUndefined();
    expect(ran).toHaveLength(1);
  });
});

describe('a gate that fails is closed', () => {
  test.each<[string, Ask]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['gives nothing', (async () => undefined) as never],
    ['gives what is no answer', (async () => ({ action: 'yes' })) as never],
    [
      'gives an answer that was not offered',
      async () => ({ action: 'accept', content: { answer: 'never' } }),
    ],
  ])('an asker that %s refuses the call, and nobody elsewhere can allow it any more', async (_how, ask) => {
    const call = await open();
    expect((await call(ask)).error?.stage).toBe('confirm');
    expect(ran).toEqual([]);
    expect(await there.list()).toEqual([]);
    expect(await there.answer(1, allow)).toMatchObject({ counts: false });
  });

  test('a channel that fails decides nothing', async () => {
    const call = await open({ others: () => [Promise.reject(new Error('offline'))] });
    const running = call(waits);
    await there.answer((await waiting()).id, allow);
    expect((await running).error).toBeUndefined();
  });

  test('a person who leaves the question has stopped the call', async () => {
    const call = await open();
    expect((await call(async () => ({ action: 'cancel' }))).error).toMatchObject({
      code: 'PEG_DECLINED',
      message: expect.stringMatching(
        /^memory\.echo was not run: its question was closed without an answer, by /,
      ),
    });
    expect(ran).toEqual([]);
  });

  test('an asker that hangs is no answer after five minutes', async () => {
    const clock = createMovedClock();
    const call = await open({ clock });
    const running = call(() => new Promise(() => {}));
    await waiting();
    clock.pass(5 * 60_000);
    expect((await running).error).toMatchObject({
      code: 'PEG_DECLINED',
      message: 'memory.echo was not run: the question was not answered.',
    });
    expect(await there.answer(1, allow)).toMatchObject({ counts: false, decided: undefined });
    expect(ran).toEqual([]);
  });

  test('an asker that can’t be stopped when somebody elsewhere allowed it refuses the call', async () => {
    const clock = createMovedClock();
    const call = await open({ clock });
    const running = call(() => new Promise(() => {}));
    await waiting();
    await there.answer(1, allow);
    await clock.sleeper(10_000);
    clock.pass(10_000);
    expect((await running).error?.message).toContain('could not be withdrawn');
    expect(ran).toEqual([]);
  });

  test('arguments that change while somebody is asked are not run', async () => {
    let seen: { text?: string } = {};
    const hooks = [
      { preTool: { handler: ({ args }: { readonly args: unknown }) => void (seen = args as object) } },
    ];
    const call = await open({ hooks: [{ name: 'plugin x', hooks: hooks[0]! }] as never });
    const result = await call(async () => {
      seen.text = 'rm -rf /';
      return { action: 'accept' };
    });
    expect(result.error).toMatchObject({ code: 'PEG_DENIED', stage: 'confirm' });
    expect(ran).toEqual([]);
  });

  test('an answer that came too late has no effect', async () => {
    const call = await open();
    const running = call(waits);
    const { id } = await waiting();
    const db = await databases[1]!.open();
    await db.updateTable('questions').set({ expires_at: new Date().toISOString() }).execute();
    expect(await there.list()).toEqual([]);
    expect(await there.answer(id, allow)).toMatchObject({ counts: false, decided: undefined });
    await db.updateTable('questions').set({ expires_at: '2999-01-01T00:00:00.000Z' }).execute();
    await there.answer(id, deny);
    expect((await running).error?.code).toBe('PEG_DECLINED');
  });

  test.each([
    ['is about something else', { binding: 'another' }],
    ['was used before', { used_at: '2026-01-01T00:00:00.000Z' }],
    ['belongs to another process', { owner: 'elsewhere/1/1' }],
  ])('an answer that %s is refused', async (_what, change) => {
    const call = await open();
    const running = call(waits);
    const { id } = await waiting();
    const db = await databases[1]!.open();
    await db
      .updateTable('questions')
      .set({ ...change, decision: 'once', decided_by: 'x' })
      .where('id', '=', id)
      .execute();
    expect((await running).error?.code).toBe('PEG_DENIED');
    expect(ran).toEqual([]);
  });

  test('what would run is forgotten once it was answered', async () => {
    const call = await open();
    await call(async () => ({ action: 'decline' }), { text: 'confidential' });
    const db = await databases[0]!.open();
    expect(JSON.stringify(await db.selectFrom('questions').selectAll().execute())).not.toContain(
      'confidential',
    );
  });
});
