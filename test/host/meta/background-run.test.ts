import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CallRequest } from '../../../host/api/dispatch.ts';
import type { TurnContext } from '../../../host/api/conversation.ts';
import type { Question } from '../../../host/api/ask.ts';
import type { Tool } from '../../../host/api/tool.ts';
import { silentLogger } from '../../../host/core/log.ts';
import { backgroundRun } from '../../../host/meta/background-run.ts';
import { createJobs } from '../../../host/meta/jobs.ts';
import { createConversations } from '../../../host/store/conversations/conversations.ts';
import { createJobStore } from '../../../host/store/jobs.ts';
import { textOf } from '../../../host/tools/result.ts';
import { kernel } from '../../kit/dispatch.ts';
import { createHome } from '../../kit/homes/home.ts';
import { echoTool, memorySource } from '../../kit/source.ts';
import { databaseOf } from '../../kit/database.ts';

/** A tool that runs until it is released or stopped. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  let wasStopped = false;
  const tool = echoTool({
    name: 'gate',
    execute: (_args, { signal, ...call }) => {
      call.progress({ progress: 1, message: 'page 4 of 9' });
      begun.resolve();
      const stopped = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => {
        wasStopped = true;
        stopped.reject(signal.reason as Error);
      });
      return Promise.race([promise, stopped.promise]);
    },
  });
  return { tool, open: resolve, begun: begun.promise, wasStopped: () => wasStopped };
}

async function createJobKernel(tools: readonly Tool[], limit?: number) {
  await using opened = new AsyncDisposableStack();
  const home = opened.use(await createHome());
  const database = opened.use(databaseOf(home));
  const store = createJobStore(database);
  let ends = 0;
  let tell = Promise.withResolvers<void>();
  const jobs = opened.use(
    createJobs({
      dispatch: (request) => made.dispatch(request),
      store,
      log: silentLogger,
      onEnd() {
        ends++;
        tell.resolve();
        tell = Promise.withResolvers();
      },
      ...(limit !== undefined && { limit }),
    }),
  );
  const made = await kernel(tools);
  const meta = { kind: 'builtin', id: 'meta', module: 'meta' } as const;
  await made.registry.add(memorySource([backgroundRun({ jobs })], meta));
  const run = async (args: object, request: Partial<CallRequest> = {}): Promise<string> =>
    textOf(await made.call('background_run', args, request));
  const closing = opened.move();
  return {
    ...made,
    run,
    jobs,
    home: home.path,
    database,
    store,
    /** Of jobs that ended by themselves. */
    ends: () => ends,
    /** Resolves when a job ends after this was called. */
    nextEnd: () => tell.promise,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

test('a job runs on after its turn, is announced when it is done, and its result is that of the tool', async () => {
  const { tool, open, begun } = gate();
  await using made = await createJobKernel([tool]);
  const conversation = await createConversations(made.database).getOrCreate({
    source: 'cli',
    externalId: 'cli',
  });
  const message = { text: 'Run it' };
  const turn = {
    agent: 'example',
    conversation,
    message,
    untrusted: { origins: [] },
  } as unknown as TurnContext;
  const controller = new AbortController();
  const started = await made.run(
    { mode: 'start', tool: 'gate', params: { a: 1 } },
    { turn, signal: controller.signal },
  );
  expect(started).toBe('Job 1 runs gate in the background. You will be notified when it is done.');
  controller.abort();
  await begun;
  expect(await made.run({ mode: 'status', id: 1 })).toMatch(
    /^Job 1 \(gate\): running for \d+ s, page 4 of 9$/,
  );
  expect(await made.run({ mode: 'result', id: 1 })).toMatch(/running for .* You will be notified/);

  const end = made.nextEnd();
  open('all of it');
  await end;
  expect(await made.store.claimUnreported(conversation.id)).toMatchObject([
    { id: 1, tool: 'gate', args: { a: 1 }, state: 'done' },
  ]);
  expect(await made.store.claimUnreported(conversation.id)).toEqual([]);
  expect(await made.call('background_run', { mode: 'result', id: 1 })).toEqual({
    content: [{ type: 'text', text: 'all of it' }],
  });
  expect(await made.run({ mode: 'list' })).toMatch(/^Job 1 \(gate\): done after \d+ s$/);
});

test('a job that fails is announced too, and its result carries the error', async () => {
  const { tool, open } = gate();
  const broken = echoTool({
    name: 'broken',
    async execute() {
      await tool.execute({}, { signal: new AbortController().signal, progress() {} } as never);
      throw new Error('out of order');
    },
  });
  await using made = await createJobKernel([broken]);
  await made.run({ mode: 'start', tool: 'broken' });
  const end = made.nextEnd();
  open('');
  await end;
  expect(made.ends()).toBe(1);
  expect(await made.run({ mode: 'status', id: 1 })).toMatch(/failed after/);
  const { error } = await made.call('background_run', { mode: 'result', id: 1 });
  expect(error).toMatchObject({ code: 'PEG_TOOL_FAILED', message: 'out of order' });
});

test('cancel stops the tool, and nothing is announced', async () => {
  const { tool, begun, wasStopped } = gate();
  await using made = await createJobKernel([tool]);
  await made.run({ mode: 'start', tool: 'gate' });
  await begun;
  expect(await made.run({ mode: 'cancel', id: 1 })).toBe('Job 1 (gate) was cancelled.');
  expect(wasStopped()).toBe(true);
  expect(await made.run({ mode: 'status', id: 1 })).toBe('Job 1 (gate): cancelled');
  expect(await made.run({ mode: 'cancel', id: 1 })).toContain('there is nothing to cancel');
  expect(made.ends()).toBe(0);
});

test('no more jobs run at once than are allowed', async () => {
  const { tool, open } = gate();
  await using made = await createJobKernel([tool, echoTool()], 2);
  const starts = await Promise.all(
    [1, 2, 3].map(() => made.call('background_run', { mode: 'start', tool: 'gate' })),
  );
  expect(starts.map(({ error }) => error?.code)).toEqual([undefined, undefined, 'PEG_LIMIT']);
  const end = made.nextEnd();
  open('');
  await end;
  expect((await made.call('background_run', { mode: 'start', tool: 'echo' })).error).toBeUndefined();
});

test('the question whether it may run goes to whoever starts it; later ones find nobody', async () => {
  const late = Promise.withResolvers<void>();
  const tool = echoTool({
    name: 'careful',
    confirm: true,
    async execute(_args, { ask, signal }) {
      await late.promise;
      return (await ask({ message: 'And now?' }, signal)).action;
    },
  });
  await using made = await createJobKernel([tool]);
  const seen: Question[] = [];
  const started = await made.run(
    { mode: 'start', tool: 'careful' },
    {
      async ask(question) {
        seen.push(question);
        return { action: 'accept' };
      },
    },
  );
  expect(started).toContain('runs careful in the background');
  expect(seen.map(({ message }) => message)).toEqual(['Run memory.careful?']);
  const end = made.nextEnd();
  late.resolve();
  await end;
  expect(seen).toHaveLength(1);
  expect(await made.run({ mode: 'result', id: 1 })).toBe('decline');
});

test('with nobody to ask, or declined, the job has failed by the time start returns', async () => {
  await using made = await createJobKernel([echoTool({ confirm: true })]);
  const end = made.nextEnd();
  await made.run({ mode: 'start', tool: 'echo' });
  await end;
  const declined = await made.run(
    { mode: 'start', tool: 'echo' },
    { ask: async () => ({ action: 'decline' }) },
  );
  expect(declined).toMatch(/^Job 2 \(echo\): failed after/);
  const codes = await Promise.all(
    [1, 2].map(async (id) => (await made.call('background_run', { mode: 'result', id })).error?.code),
  );
  expect(codes).toEqual(['PEG_NOBODY_TO_ASK', 'PEG_DECLINED']);
});

test('whoever leaves while the question is open takes the job along', async () => {
  const { tool } = gate();
  await using made = await createJobKernel([{ ...tool, confirm: true }]);
  const controller = new AbortController();
  const result = await made.call(
    'background_run',
    { mode: 'start', tool: 'gate' },
    {
      signal: controller.signal,
      ask: (_question, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          controller.abort();
        }),
    },
  );
  expect(result.error?.code).toBe('PEG_CANCELLED');
  await made.jobs[Symbol.asyncDispose]();
  expect(await made.run({ mode: 'status', id: 1 })).toBe('Job 1 (gate): cancelled');
});

test('an agent sees its own jobs, the owner all', async () => {
  await using made = await createJobKernel([echoTool()]);
  const as = (agent: string) => ({ scope: { identity: 'agent', agent, access: {} } }) as const;
  const end = made.nextEnd();
  await made.run({ mode: 'start', tool: 'echo' }, as('a'));
  await end;
  expect(await made.run({ mode: 'list' }, as('b'))).toBe('No jobs.');
  const stranger = await made.call('background_run', { mode: 'cancel', id: 1 }, as('b'));
  expect(stranger.error).toMatchObject({
    code: 'PEG_INVALID_ARGUMENTS',
    message: 'There is no job 1. No jobs.',
  });
  expect(await made.run({ mode: 'list' }, as('a'))).toContain('Job 1');
  expect(await made.run({ mode: 'list' })).toContain('Job 1');
});

test.for([
  [{ mode: 'start' }, 'Mode "start" needs "tool".'],
  [{ mode: 'result' }, 'Mode "result" needs "id".'],
  [{ mode: 'restart' }, '"mode" must be one of'],
] as const)('%j is refused with what is missing', async ([args, message]) => {
  await using made = await createJobKernel([]);
  const { error } = await made.call('background_run', args);
  expect(error).toMatchObject({ code: 'PEG_INVALID_ARGUMENTS' });
  expect(error?.message).toContain(message);
});

test('closing interrupts the jobs and waits until they have stopped', async () => {
  const { tool, begun, wasStopped } = gate();
  const made = await createJobKernel([tool]);
  await made.run({ mode: 'start', tool: 'gate' });
  await begun;
  await made.jobs[Symbol.asyncDispose]();
  expect(wasStopped()).toBe(true);
  expect(await made.run({ mode: 'status', id: 1 })).toBe(
    'Job 1 (gate): interrupted, because Pegboard was stopped',
  );
  expect((await made.call('background_run', { mode: 'start', tool: 'gate' })).error?.code).toBe(
    'PEG_CANCELLED',
  );
  expect(made.ends()).toBe(0);
  await made[Symbol.asyncDispose]();
});

test('a job of another process is cancelled', async () => {
  await using made = await createJobKernel([]);
  const child = fork(join(import.meta.dirname, 'fixtures/hanging-job.ts'), [made.home]);
  expect((await once(child, 'message'))[0]).toContain('Job 1 runs hang');
  expect(await made.run({ mode: 'cancel', id: 1 })).toBe('Job 1 (hang) was cancelled.');
  expect(await made.run({ mode: 'status', id: 1 })).toContain('cancelled');
  child.kill('SIGKILL');
  await once(child, 'exit');
});

test('a job whose process died is shown as interrupted', async () => {
  await using made = await createJobKernel([]);
  const child = fork(join(import.meta.dirname, 'fixtures/hanging-job.ts'), [made.home]);
  expect((await once(child, 'message'))[0]).toContain('Job 1 runs hang');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await made.run({ mode: 'status', id: 1 })).toBe(
    'Job 1 (hang): interrupted, because Pegboard was stopped',
  );
  expect(await made.run({ mode: 'result', id: 1 })).toContain('Start it again if it is still needed.');
});
