import { createProvenance } from '../../../host/agent/provenance.ts';
import { expect, test } from 'vitest';
import type { Answer, Question } from '../../../host/api/ask.ts';
import type { Converse, IncomingMessage, TurnContext, TurnEvent } from '../../../host/api/conversation.ts';
import type { CallRequest } from '../../../host/api/dispatch.ts';
import type { ToolResult } from '../../../host/api/result.ts';
import { callApp, type AgentServices } from '../../../host/meta/call-app.ts';
import { spawnAgent } from '../../../host/meta/spawn-agent.ts';
import { textOf } from '../../../host/tools/result.ts';
import { kernel } from '../../kit/dispatch.ts';

const agent = (id: string, parts: object = {}) =>
  ({ id, name: id, description: `Does ${id}`, role: 'assistant', modules: undefined, ...parts }) as const;
const known = [agent('desk'), agent('reviewer'), agent('writer'), agent('chief', { role: 'coordinator' })];

const reply = (text: string, parts: object = {}) => ({
  text,
  toolCalls: [],
  usage: { input: 0, output: 0 },
  conversation: { id: 1, source: 'agent', externalId: 'x' },
  untrusted: [],
  messageId: 1,
  ...parts,
});

/** Another agent's call of a tool, as its turn makes it. */
type InnerCall = (name: string, args: object) => Promise<ToolResult>;

/** Agents whose turns are played by `act`, with the real tools and the real dispatch. */
async function createAgents(act: (message: IncomingMessage, call: InnerCall) => Promise<string | object>) {
  const messages: IncomingMessage[] = [];
  const turnOf = (message: IncomingMessage): TurnContext => ({
    message,
    conversation: { id: messages.length, source: message.source, externalId: message.externalId },
    agent: message.agent ?? 'desk',
    untrusted: createProvenance(message.untrusted),
    embedding: async () => undefined,
    signal: message.signal ?? new AbortController().signal,
  });
  const callIn =
    (turn: TurnContext, request: Partial<CallRequest> = {}): InnerCall =>
    (name, args) =>
      made.dispatch({
        name,
        args,
        scope: { identity: 'agent', agent: turn.agent, access: {} },
        caller: 'agent',
        turn,
        ...(turn.message.signal && { signal: turn.message.signal }),
        ...(turn.message.ask && { ask: turn.message.ask }),
        ...request,
      });
  const converse: Converse = async (message) => {
    messages.push(message);
    const answer = await act(message, callIn(turnOf(message)));
    return typeof answer === 'string' ? reply(answer) : reply('', answer);
  };
  const services: AgentServices = { converse, agents: () => known };
  const made = await kernel([callApp(services), spawnAgent(services)]);
  /** A turn of a person with `agent`. */
  const turn = (by = 'desk', request: Partial<CallRequest> = {}): InnerCall =>
    callIn(turnOf({ source: 'cli', externalId: 'cli', text: 'hello', agent: by }), request);
  return { messages, turn };
}

test('call_app hands the task with its context to the other agent and returns its answer', async () => {
  const { messages, turn } = await createAgents(async () => 'Looks good.');
  const result = await turn()('call_app', { agent: 'reviewer', task: 'Review this.', context: 'let x = 1' });
  expect(result).toEqual({
    content: [{ type: 'text', text: 'Looks good.' }],
    structured: { answer: 'Looks good.' },
  });
  expect(messages).toMatchObject([
    { source: 'agent', agent: 'reviewer', text: 'Review this.\n\nContext:\nlet x = 1' },
  ]);
});

test('every task is a conversation of its own', async () => {
  const { messages, turn } = await createAgents(async () => 'ok');
  const call = turn();
  await call('call_app', { agent: 'reviewer', task: 'one' });
  await call('call_app', { agent: 'reviewer', task: 'two' });
  expect(new Set(messages.map(({ externalId }) => externalId)).size).toBe(2);
});

test('an answer that ended early says why, and an empty one that it is empty', async () => {
  const { turn } = await createAgents(async () => ({ stopped: 'It took too many rounds.' }));
  const result = await turn()('call_app', { agent: 'reviewer', task: 'x' });
  expect(textOf(result)).toBe('(It gave no answer.)\n\n[It ended early: It took too many rounds.]');
});

test('an unknown agent is answered with who there is, and "?" lists them', async () => {
  const { messages, turn } = await createAgents(async () => 'never');
  const { error } = await turn()('call_app', { agent: 'reviwer', task: 'x' });
  expect(error?.code).toBe('PEG_INVALID_ARGUMENTS');
  expect(error?.message).toMatch(/Did you mean "reviewer"\?.*- writer: Does writer/s);
  expect(textOf(await turn()('call_app', { agent: '?', task: '' }))).toMatch(
    /^- desk: Does desk\n- reviewer: /,
  );
  expect(messages).toEqual([]);
});

test('the other agent asks the same person, under its own name', async () => {
  const seen: Question[] = [];
  const ask = async (question: Question): Promise<Answer> => {
    seen.push(question);
    return { action: 'accept' };
  };
  const { turn } = await createAgents(
    async ({ ask: own, signal }) => (await own!({ message: 'May I?' }, signal!)).action,
  );
  const result = await turn('desk', { ask })('call_app', { agent: 'reviewer', task: 'x' });
  expect(textOf(result)).toBe('accept');
  expect(seen).toMatchObject([{ message: 'reviewer: May I?' }]);
  expect(seen).toHaveLength(1);
});

test('with nobody to ask, the other agent has nobody either', async () => {
  const { messages, turn } = await createAgents(async () => 'ok');
  await turn()('call_app', { agent: 'reviewer', task: 'x' });
  expect(messages[0]).not.toHaveProperty('ask');
});

test('what the other agent does is heard as progress', async () => {
  const events: TurnEvent[] = [
    { type: 'text', text: 'let me see' },
    { type: 'tool_start', callId: '1', tool: 'web.read', args: {} },
    { type: 'tool_progress', callId: '1', message: 'page 2' },
    { type: 'notice', text: 'trying another model' },
  ];
  const { turn } = await createAgents(async ({ onEvent }) => {
    for (const event of events) onEvent?.(event);
    return 'ok';
  });
  const heard: unknown[] = [];
  await turn('desk', { onProgress: (progress) => heard.push(progress) })('call_app', {
    agent: 'writer',
    task: 'x',
  });
  expect(heard).toEqual([
    { progress: 1, message: 'writer: web.read' },
    { progress: 2, message: 'writer: page 2' },
    { progress: 3, message: 'writer: trying another model' },
  ]);
});

test('cancelling the call cancels the turn of the other agent', async () => {
  const controller = new AbortController();
  const { turn } = await createAgents(
    ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal!.addEventListener('abort', () => reject(signal!.reason as Error));
        controller.abort();
      }),
  );
  const { error } = await turn('desk', { signal: controller.signal })('call_app', {
    agent: 'writer',
    task: 'x',
  });
  expect(error?.code).toBe('PEG_CANCELLED');
});

test('two agents that hand a task to each other are stopped with a plain message', async () => {
  const { messages, turn } = await createAgents(async ({ agent: self }, call) =>
    textOf(await call('call_app', { agent: self === 'writer' ? 'reviewer' : 'writer', task: 'you do it' })),
  );
  const result = await turn()('call_app', { agent: 'writer', task: 'x' });
  expect(result.error).toBeUndefined();
  expect(textOf(result)).toBe(
    'writer is waiting for this very task (desk → writer → reviewer): delegating it back would loop. Do it yourself with the tools you have, or answer with what you know.',
  );
  expect(messages.map((message) => message.agent)).toEqual(['writer', 'reviewer']);
});

test('a task is delegated three times at most', async () => {
  const { messages, turn } = await createAgents(async (_message, call) =>
    textOf(await call('agent', { task: 'deeper' })),
  );
  const result = await turn('chief')('agent', { task: 'dig' });
  expect(textOf(result)).toMatch(
    /^The task was already delegated 3 times \(chief → worker → worker → worker\)\./,
  );
  expect(messages).toHaveLength(3);
});

test('one message starts eight agents at most, however they are spread, and the next message eight again', async () => {
  const { messages, turn } = await createAgents(async ({ text }, call) => {
    if (text !== 'spread') return 'done';
    const results = await Promise.all(Array.from({ length: 5 }, () => call('agent', { task: 'leaf' })));
    return results.map(({ error }) => error?.code ?? 'ok').join();
  });
  const call = turn('chief');
  const results = await Promise.all(Array.from({ length: 3 }, () => call('agent', { task: 'spread' })));
  expect(messages).toHaveLength(8);
  const ends = results.flatMap((result) => textOf(result).split(','));
  expect(ends.filter((end) => end === 'ok')).toHaveLength(5);
  expect(ends.filter((end) => end === 'PEG_LIMIT')).toHaveLength(10);
  expect((await call('agent', { task: 'one more' })).error?.message).toMatch(
    /^8 agents were already started for this message/,
  );
  expect((await turn('chief')('agent', { task: 'next' })).error).toBeUndefined();
});

test('a worker is the same agent in a fresh conversation, with its instructions and a narrower choice of tools', async () => {
  const { messages, turn } = await createAgents(async () => 'done');
  await turn('chief')('agent', {
    task: 'Count files.',
    instructions: 'You are careful.',
    tools: ['filesystem.*'],
  });
  expect(messages).toMatchObject([
    {
      agent: 'chief',
      source: 'agent',
      text: 'You are careful.\n\nYour task:\nCount files.',
      context: { tools: ['filesystem.*'] },
    },
  ]);
});

test('only a coordinator may start workers', async () => {
  const { messages, turn } = await createAgents(async () => 'done');
  const { error } = await turn('desk')('agent', { task: 'x' });
  expect(error).toMatchObject({ code: 'PEG_DENIED', message: expect.stringContaining("desk isn't one") });
  expect(messages).toEqual([]);
});
