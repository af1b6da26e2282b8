import { DatabaseSync } from 'node:sqlite';
import { StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../../host/api/result.ts';
import { databaseFileOf } from '../../../../host/store/database/file.ts';
import { createQuestions } from '../../../../host/store/owner/questions.ts';
import { startScriptedModel, type ScriptedModel } from '../../../../host/testing/index.ts';
import { configFor } from '../../../kit/homes/agent-home.ts';
import { answer, askingFiles, notesIn, questionsOf } from '../../../kit/homes/asking-home.ts';
import { pegboard, startPegboard, type CliOptions, type RunningCli } from '../../../kit/cli.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';
import { connectModern, connectOld, type ForeignClient } from '../../../kit/mcp/mcp-clients.ts';
import { startOnTerminal } from '../../../kit/pty.ts';
import { databaseOf } from '../../../kit/database.ts';

let home: TestHome;
let model: ScriptedModel;
let opened: AsyncDisposableStack;

beforeEach(async () => {
  opened = new AsyncDisposableStack();
  // Calls the tool when asked for a note; ends after a tool result.
  model = opened.use(
    await startScriptedModel(({ messages }) => {
      const last = messages.at(-1) as { readonly role: string; readonly content: unknown };
      const text = JSON.stringify(last.content);
      if (last.role === 'tool') return { text: `It says: ${text}` };
      const [, word] = /write (\w+)/.exec(text) ?? [];
      return word === undefined
        ? { text: 'nothing to do' }
        : { toolCalls: [{ name: 'note', arguments: { text: word } }] };
    }),
  );
  home = opened.use(await createHome({ 'pegboard.yaml': configFor(model), ...askingFiles }));
});
afterEach(() => opened.disposeAsync());

const start = async (args: readonly string[] = [], how: CliOptions = {}): Promise<RunningCli> => {
  const running = opened.use(startPegboard(['start', ...args], { home: home.path, ...how }));
  await running.waitFor(/running \d+ tools/);
  return running;
};

/** A host that can be killed. */
const startApart = (): Promise<RunningCli> => start([], { apart: true });

const schedule = (...words: string[]): Promise<unknown> =>
  pegboard(['schedule', 'add', 'in 1 second', ...words], { home: home.path });

/** Runs of one schedule, read directly: starting a command for each check would slow down what is waited for. */
function statesOfRuns(schedule: number): readonly unknown[] {
  using database = new DatabaseSync(databaseFileOf(home.path), { readOnly: true, timeout: 5_000 });
  const runs = database.prepare('select state from scheduler_runs where schedule_id = ?').all(schedule);
  return runs.map(({ state }) => state);
}

/** URL and token for clients of `pegboard start --http`. */
async function addressOf(running: RunningCli): Promise<[URL, { readonly requestInit: RequestInit }]> {
  const shown = await running.waitFor(/token {4}\S+/);
  const Authorization = `Bearer ${/token {4}(\S+)/.exec(shown)![1]!}`;
  return [new URL(/http:\S+\/mcp/.exec(shown)![0]), { requestInit: { headers: { Authorization } } }];
}

/** Questions to the client wait for `reply`. */
async function connect(
  running: RunningCli,
  reply: (params: JsonObject) => Promise<JsonObject>,
): Promise<ForeignClient> {
  const transport = new StreamableHTTPClientTransport(...(await addressOf(running)));
  return opened.use(await connectOld(transport, { answer: reply }));
}

test('a schedule’s confirmation waits for the owner at another terminal, without blocking others', async () => {
  await schedule('write one');
  await schedule('say hi', '--to', 'terminal/other');
  const running = await start(['--http', '0']);
  const [question] = await questionsOf(home, 1);
  expect(question).toMatchObject({ tool: 's.note', asker: 'schedule/terminal/cli', unattended: true });
  expect(question!.detail).toContain("printf '%s\\n' one >> notes.txt");

  // Others are served meanwhile: another schedule, an HTTP client, the terminal's conversation.
  await expect.poll(() => statesOfRuns(2)).toContain('done');
  expect((await pegboard(['schedule', 'runs', '2'], { home: home.path })).stdout).toContain('done');
  const client = await connect(running, () => new Promise(() => {}));
  expect(await client.call('hello')).toMatchObject({ content: [{ text: 'hello\n' }] });
  expect(await pegboard(['chat', 'hi'], { home: home.path })).toMatchObject({ stdout: 'nothing to do\n' });

  const { stdout } = await pegboard(['approvals', 'list'], { home: home.path });
  expect(stdout).toContain(`pegboard approvals allow ${question!.id}`);
  expect(await answer(home, 'allow', question!.id)).toMatchObject({
    code: 0,
    stdout: 'Question 1: s.note may run.\n',
  });
  await expect.poll(() => notesIn(home)).toEqual(['one']);
  const again = await answer(home, 'deny', question!.id);
  expect(again.code).toBe(3);
  expect(again.stderr).toMatch(/was answered already: Allowed by pegboard approvals, \d\d:\d\d:\d\d/);
  expect(await notesIn(home)).toEqual(['one']);
});

test('a question to an MCP client can be answered at a terminal: the client is notified, and its own answer is ignored', async () => {
  const running = await start(['--http', '0']);
  const asked = Promise.withResolvers<void>();
  const late = Promise.withResolvers<JsonObject>();
  const client = await connect(running, () => {
    asked.resolve();
    return late.promise;
  });
  const calling = client.call('note', { text: 'two' });
  await asked.promise;
  const [question] = await questionsOf(home, 1);
  await answer(home, 'deny', question!.id);
  expect(await calling).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('declined by pegboard approvals') as string }],
  });
  late.resolve({ action: 'accept', content: { answer: 'once' } });
  expect(await client.call('hello')).toMatchObject({ content: [{ text: 'hello\n' }] });
  expect(await notesIn(home)).toEqual([]);
});

test('a client of the newer protocol that comes back with its answer gets what was decided meanwhile', async () => {
  const running = await start(['--http', '0']);
  const asked = Promise.withResolvers<void>();
  const late = Promise.withResolvers<JsonObject>();
  const transport = new ModernHttp(...(await addressOf(running)));
  const client = opened.use(
    await connectModern('auto', transport, {
      answer: () => {
        asked.resolve();
        return late.promise;
      },
    }),
  );
  expect(client.era).toBe('modern');
  const calling = client.call('note', { text: 'six' });
  await asked.promise;
  const [question] = await questionsOf(home, 1);
  await answer(home, 'allow', question!.id);
  await expect.poll(() => notesIn(home)).toEqual(['six']);
  late.resolve({ action: 'decline' });
  expect((await calling)['isError']).not.toBe(true);
  expect(await notesIn(home)).toEqual(['six']);
});

test('a person at a terminal sees that somebody else has answered, and who', async () => {
  await using person = startOnTerminal(['call', 'note', 'text=three'], { home: home.path });
  await person.waitFor(/Yes, this once/);
  const [question] = await questionsOf(home, 1);
  expect(question).toMatchObject({ asker: 'cli', unattended: false });
  await answer(home, 'allow', question!.id);
  await person.waitFor(/Allowed by pegboard approvals\./);
  expect((await person.ended).code).toBe(0);
  expect(await notesIn(home)).toEqual(['three']);
});

test('a process that is killed runs nothing afterwards, and its question is ended and said so', async () => {
  await schedule('write four');
  const running = await startApart();
  const [question] = await questionsOf(home, 1);
  running.child.kill('SIGKILL');
  await running.ended;
  expect(await questionsOf(home, 0)).toEqual([]);
  const late = await answer(home, 'allow', question!.id);
  expect(late.code).toBe(3);
  expect(late.stderr).toContain('the process that asked has ended. Nothing was run.');

  await start();
  await using prompt = startOnTerminal([], { home: home.path });
  await prompt.waitFor(/was stopped while it asked whether s\.note may run \(question 1/);
  expect(await notesIn(home)).toEqual([]);
});

test.each([
  ['at once', async () => {}],
  ['when its answer was taken', async (taken) => await expect.poll(taken, { interval: 1 }).toBe(true)],
  ['when it ran', async () => await expect.poll(() => notesIn(home), { interval: 1 }).toHaveLength(1)],
] satisfies [string, (taken: () => Promise<boolean>) => Promise<void>][])(
  'allowed, and killed %s: it ran once at most, and never after the restart',
  async (_when, moment) => {
    await schedule('write five');
    const running = await startApart();
    const [question] = await questionsOf(home, 1);
    await using database = databaseOf(home);
    const db = await database.open();
    await createQuestions(database).answer(question!.id, { decision: 'once', by: 'the test' });
    await moment(
      async () =>
        (await db.selectFrom('questions').select('used_at').executeTakeFirstOrThrow()).used_at !== null,
    );
    running.child.kill('SIGKILL');
    await running.ended;
    const before = await notesIn(home);
    expect(before.length).toBeLessThanOrEqual(1);
    await start();
    // A call that had not begun asks again: the earlier answer was for the process that ended.
    const goesOn = async (): Promise<boolean> => {
      const open = await createQuestions(database).list();
      return open.some(({ id }) => id !== question!.id) || /uncertain|done/.test(statesOfRuns(1).join());
    };
    await expect.poll(goesOn, { timeout: 30_000 }).toBe(true);
    expect(await notesIn(home)).toEqual(before);
  },
);

test('an invalid number, and one without a question, are reported', async () => {
  expect(await pegboard(['approvals', 'allow', 'x'], { home: home.path })).toMatchObject({ code: 2 });
  const { code, stderr } = await answer(home, 'allow', 99);
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no question 99') as string,
  });
});
