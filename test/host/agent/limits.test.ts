import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMovedClock } from '../../kit/moved-clock.ts';
import type { TurnEvent } from '../../../host/api/conversation.ts';
import type { UsageLine } from '../../../host/api/store/usage.ts';
import { checkSpending } from '../../../host/doctor/spending.ts';
import { createUsage } from '../../../host/store/usage/usage.ts';
import { openAgentHome, type AgentHome } from '../../kit/homes/agent-home.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';
import { pegboard, startPegboard } from '../../kit/cli.ts';
import type { Script } from '../../../host/testing/index.ts';
import { databaseOf } from '../../kit/database.ts';
import { waitUntil } from '../../kit/wait-until.ts';

const tools = 'spaces/work/agent/tools';
const echo = {
  [`${tools}/echo.md`]: manifest('echo', 'parameters:\n  - { name: n, type: integer }\ncommand: echo {{n}}'),
  [`${tools}/other.md`]: manifest('other', 'command: echo other'),
};
const agent = (runtime: object): { readonly [file: string]: string } => ({
  'spaces/work/agent/agent.yaml': JSON.stringify({ id: 'work', runtime }),
});
/** A model that never finishes. */
const endless =
  (call: (index: number) => { readonly name: string; readonly arguments: object }): Script =>
  (_request, index) => ({ text: `Step ${index + 1}.`, toolCalls: [call(index)] });

describe('a turn ends with what was said and why', () => {
  test('after its rounds', async () => {
    const script = endless((index) => ({ name: 'echo', arguments: { n: index } }));
    await using home = await openAgentHome(script, { files: { ...echo, ...agent({ max_rounds: 3 }) } });
    const events: TurnEvent[] = [];
    const reply = await home.say('go', { agent: 'work', onEvent: (event) => events.push(event) });
    expect(reply.stopped).toBe(
      'The agent was stopped after 3 rounds, its limit for one message (runtime.max_rounds).',
    );
    expect(reply.text).toBe(`Step 1.\n\nStep 2.\n\nStep 3.\n\n${reply.stopped}`);
    expect(events.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe(reply.text);
    expect(home.model.requests).toHaveLength(3);
    expect(reply.toolCalls.map(({ args }) => args)).toEqual([{ n: 0 }, { n: 1 }]);
  });

  test.for([
    ['identical calls', () => ({ name: 'echo', arguments: { n: 1 } })],
    ['two calls in turns', (index: number) => ({ name: index % 2 ? 'other' : 'echo', arguments: {} })],
  ] as const)('with the fifth of %s', async ([, call]) => {
    await using home = await openAgentHome(endless(call), { files: echo });
    const reply = await home.say('go');
    expect(reply.stopped).toBe('The agent was stopped: it repeated the same calls (echo) over and over.');
    expect([home.model.requests.length, reply.toolCalls.length]).toEqual([5, 4]);
  });

  test('at its deadline, with the tool that runs', async () => {
    const files = {
      ...agent({ deadline: 4 }),
      [`${tools}/wait.md`]: manifest('wait', 'command: sh -c "echo > started; sleep 610"'),
    };
    const script: Script = [{ toolCalls: [{ name: 'wait', arguments: {} }] }];
    const clock = createMovedClock();
    await using home = await openAgentHome(script, { files, clock });
    const turn = home.say('go', { agent: 'work' });
    await waitUntil(() => existsSync(join(home.home.path, 'spaces/work/started')));
    clock.pass(4_000);
    const reply = await turn;
    expect(reply.stopped).toBe(
      'The agent was stopped after 4 seconds, its limit for one message (runtime.deadline).',
    );
    expect(reply.text).toBe(reply.stopped);
    expect(reply.toolCalls).toMatchObject([{ tool: 'work.wait', ok: false }]);
    expect(home.model.requests).toHaveLength(1);
  });

  test('and the time of people does not count', async () => {
    const files = {
      ...agent({ deadline: 4 }),
      [`${tools}/sure.md`]: manifest('sure', 'command: echo sure\nconfirm: true'),
    };
    const script: Script = [{ toolCalls: [{ name: 'sure', arguments: {} }] }, { text: 'Done.' }];
    const clock = createMovedClock();
    await using home = await openAgentHome(script, { files, clock });
    const reply = await home.say('go', {
      agent: 'work',
      ask: async () => {
        clock.pass(4_100);
        return { action: 'accept', content: { answer: 'once' } };
      },
    });
    expect(reply).toMatchObject({ text: 'Done.', toolCalls: [{ tool: 'work.sure', ok: true }] });
    expect(reply.stopped).toBeUndefined();
  });

  test.for([
    ['a tool', { name: 'release', arguments: {} }],
    ['a tool that another one runs', { name: 'execute_tool', arguments: { name: 'release' } }],
    ['a tool that another agent runs', { name: 'agent', arguments: { task: 'Release it' } }],
  ] as const)('and the time of %s that goes off the clock does not count', async ([, call]) => {
    const files = {
      ...agent({ deadline: 4 }),
      'spaces/work/agent/agent.yaml': JSON.stringify({
        id: 'work',
        role: 'coordinator',
        runtime: { deadline: 4 },
      }),
      'plugins/slow/plugin.yaml':
        'id: slow\nversion: "1.0.0"\ndescription: Slow\npacks: { slow: { description: Slow } }\n',
      'plugins/slow/index.ts': `import { definePlugin, defineTool } from 'pegboard';
        export default definePlugin({ setup: ({ surroundings: { clock } }) => ({ packs: { slow: [defineTool({
          name: 'release', description: 'Takes long', parameters: { type: 'object' }, pausesTurnTimeout: true,
          execute: () => (clock.pass(4_100), 'released'),
        })] } }) });`,
    };
    const release = { name: 'release', arguments: {} };
    const script: Script = ({ messages }) => {
      const said = JSON.stringify(messages);
      if (messages.at(-1)?.role === 'tool') return { text: /released|Done/.test(said) ? 'Done.' : said };
      return { toolCalls: [said.includes('Release it') ? release : call] };
    };
    await using home = await openAgentHome(script, { files, development: true, clock: createMovedClock() });
    const reply = await home.say('go', { agent: 'work' });
    expect(reply.text).toBe('Done.');
    expect(reply.stopped).toBeUndefined();
  });

  test('when it is cancelled, with every tool that runs', async () => {
    const files = {
      [`${tools}/wait.md`]: manifest('wait', 'command: sh -c "echo > started; sleep 61.5; echo > late"'),
    };
    const calls = [1, 2].map((at) => ({ name: 'wait', arguments: {}, id: `c${at}` }));
    await using home = await openAgentHome([{ text: 'Waiting.', toolCalls: calls }], { files });
    const cancel = new AbortController();
    const turn = home.say('go', { signal: cancel.signal });
    await waitUntil(() => existsSync(join(home.home.path, 'spaces/work/started')));
    cancel.abort();
    const reply = await turn;
    expect(reply).toMatchObject({ text: 'Waiting.', stopped: 'cancelled' });
    expect(reply.toolCalls.map(({ ok }) => ok)).toEqual([false, false]);
    expect(home.model.requests).toHaveLength(1);
  });

  test('when it is cancelled while the model replies, and the model request is aborted', async () => {
    await using home = await openAgentHome([{ text: 'A long story, cut short.', faults: { hangAfter: 2 } }]);
    const cancel = new AbortController();
    const reply = await home.say('go', {
      signal: cancel.signal,
      onEvent: ({ type }) => type === 'text' && cancel.abort(),
    });
    await home.model.closed(0);
    expect(reply).toMatchObject({ text: 'A long s', stopped: 'cancelled' });
  });

  test('when the time of its caller is over, which is not its own deadline', async () => {
    await using home = await openAgentHome([{ text: 'A long story, cut short.', faults: { hangAfter: 2 } }]);
    expect(await home.say('go', { signal: AbortSignal.timeout(200) })).toMatchObject({
      stopped: 'cancelled',
    });
  });

  test("at the model's own limit", async () => {
    await using home = await openAgentHome([{ text: 'Once upon', finish: 'length' }]);
    const reply = await home.say('tell');
    expect(reply.text).toBe("Once upon\n\nThe answer was cut off: it reached the model's limit.");
  });
});

describe('a cap on what a day costs', () => {
  const costing =
    (cost: number): Script =>
    () => ({ text: 'ok', usage: { cost } });

  test('admits no further call once it is spent, and says so', async () => {
    await using home = await openAgentHome(costing(0.6), { files: agent({ spend_per_day: 1 }) });
    for (const text of ['one', 'two'])
      expect(await home.say(text, { agent: 'work' })).toMatchObject({ text: 'ok' });
    const reply = await home.say('three', { agent: 'work' });
    expect(reply.stopped).toMatch(/^The agent work has spent \$1\.20 today, and its cap is \$1\.00 a day\./);
    expect(reply.text).toBe(reply.stopped);
    expect(home.model.requests).toHaveLength(2);
    expect(await home.say('as another')).toMatchObject({ text: 'ok' });
  });

  test('is overspent by one call at most, by fifty turns at once', async () => {
    await using home = await openAgentHome(costing(0.1), { settings: { spendPerDay: 0.55 } });
    const turns = Array.from({ length: 50 }, (_, at) => home.say('go', { externalId: `chat ${at}` }));
    const replies = await Promise.all(turns);
    const answered = replies.filter(({ stopped }) => stopped === undefined);
    expect(answered.length).toBe(6);
    expect(home.model.requests).toHaveLength(6);
    expect(replies.find(({ stopped }) => stopped)!.text).toMatch(/^This home has spent \$0\.60 today/);
  });
});

describe('a daily cap and a model of unknown price', () => {
  const answering: Script = () => ({
    text: 'ok',
    usage: { prompt_tokens: 200_000, completion_tokens: 100_000 },
  });
  const open = (spend: string): Promise<AgentHome> =>
    openAgentHome(answering, { settings: { spendPerDay: 1 }, files: { 'pegboard.local.yaml': spend } });
  const noticesOf = async (home: AgentHome): Promise<readonly string[]> => {
    const said: string[] = [];
    await home.say('go', { onEvent: (event) => event.type === 'notice' && said.push(event.text) });
    return said;
  };

  test('is said in the first turn, by doctor, and at the start', async () => {
    await using home = await open('{}');
    expect(await noticesOf(home)).toEqual([
      expect.stringContaining("so the daily spending cap doesn't hold"),
    ]);
    expect(await noticesOf(home)).toEqual([]);
    expect(await checkSpending(home.host)).toMatchObject([{ name: 'spending', status: 'warning' }]);
    await using started = startPegboard(['start'], { home: home.home.path });
    await started.waitFor(/the daily spending cap doesn't hold/);
  });

  test('spend.unknown: refuse asks it nothing', async () => {
    await using home = await open('spend: { unknown: refuse }');
    await expect(home.say('go')).rejects.toMatchObject({ code: 'PEG_MODEL_REFUSED' });
    expect(home.model.requests).toHaveLength(0);
    expect(await checkSpending(home.host)).toEqual([]);
  });

  test('spend.unknown: count counts its tokens at the stated price', async () => {
    await using home = await open('spend: { unknown: count, price: { input: 1, output: 5 } }');
    expect(await noticesOf(home)).toEqual([]);
    await home.say('go');
    expect((await home.say('go')).stopped).toContain('has spent $1.40 today');
  });

  test('spend.unknown: count without a price is an error with its place', async () => {
    await using home = await createHome({ 'pegboard.yaml': 'spend:\n  unknown: count\n' });
    const { stdout, code } = await pegboard(['lint'], { home: home.path });
    expect([code, stdout]).toEqual([1, expect.stringContaining('"spend": "price" is missing')]);
  });
});

describe('what runs in the background', () => {
  const summed = async ({ home }: AgentHome): Promise<readonly UsageLine[]> => {
    await using database = databaseOf(home);
    return await createUsage(database, { timeZone: 'UTC' }).summarize('agent');
  };

  test("counts as the plugin's that asks a model, and stops with the home's money", async () => {
    const script: Script = () => ({ text: 'ok', usage: { cost: 0.6 } });
    await using home = await openAgentHome(script, { settings: { spendPerDay: 1 } });
    const agents = await home.host.agents();
    const model = await agents.modelNamed(home.host.config.models.default!, 'builtin-core');
    const ask = (): Promise<unknown> =>
      model.respond(
        {
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Sum up' }] }],
          tools: [],
          signal: new AbortController().signal,
        },
        () => {},
      );
    await ask();
    await ask();
    await expect(ask()).rejects.toMatchObject({ code: 'PEG_LIMIT' });
    expect(home.model.requests).toHaveLength(2);
    expect(await summed(home)).toMatchObject([{ name: 'builtin-core', cost: 1.2, calls: 2 }]);
  });

  test('counts embeddings too', async () => {
    await using home = await openAgentHome([{ text: 'ok' }], { embeddings: true });
    await home.say('watering plants in the garden');
    const embeddings = (await summed(home)).find(({ name }) => name === 'embeddings');
    expect(embeddings?.calls).toBe(home.model.embeddingRequests.length);
    expect(embeddings?.input).toBeGreaterThan(0);
  });
});

describe('messages at the same time', () => {
  /** A model that answers on demand. */
  function gated(): { readonly script: Script; readonly open: (index: number) => void } {
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    return {
      script: async (_request, index) => {
        await gates[index]!.promise;
        return { text: `answer ${index}` };
      },
      open: (index) => gates[index]!.resolve(),
    };
  }

  test('wait for each other in one conversation, and in others they do not', async () => {
    const { script, open } = gated();
    await using home: AgentHome = await openAgentHome(script);
    const first = home.say('first');
    await home.model.received(0);
    const second = home.say('second');
    const other = home.say('other', { externalId: 'elsewhere' });
    expect((await home.model.received(1)).messages.at(-1).content).toMatch(/other$/);
    open(1);
    await other;
    expect(home.model.requests).toHaveLength(2);
    open(0);
    await first;
    const { messages } = await home.model.received(2);
    expect(messages.slice(1).map(({ content }: any) => content.split('\n').at(-1))).toEqual([
      'first',
      'answer 0',
      'second',
    ]);
    open(2);
    await second;
  });

  test('one that is cancelled while it waits is left out, and leaves no trace', async () => {
    const { script, open } = gated();
    await using home = await openAgentHome(script);
    const first = home.say('first');
    await home.model.received(0);
    const cancel = new AbortController();
    const second = home.say('second', { signal: cancel.signal });
    cancel.abort();
    await expect(second).rejects.toMatchObject({ code: 'PEG_CANCELLED' });
    open(0);
    const { conversation } = await first;
    const { conversations } = await home.host.agents();
    expect((await conversations.recent(conversation.id, 10)).map(({ text }) => text)).toEqual([
      'first',
      'answer 0',
    ]);
  });

  test('a host that closes ends the turns that run, and they are stored as cancelled', async () => {
    const { script } = gated();
    const home = await openAgentHome(script);
    const turn = home.say('first');
    await home.model.received(0);
    await home.host[Symbol.asyncDispose]();
    expect(await turn).toMatchObject({ text: '', stopped: 'cancelled' });
    await home[Symbol.asyncDispose]();
  });
});
