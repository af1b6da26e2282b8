import { describe, expect, test } from 'vitest';
import type { TurnEvent } from '../../../host/api/conversation.ts';
import { textOf } from '../../../host/tools/result.ts';
import { openAgentHome } from '../../kit/homes/agent-home.ts';
import { manifest } from '../../kit/homes/home.ts';
import type { Script, ScriptedReply, ScriptedRequest } from '../../../host/testing/index.ts';
import { waitUntil } from '../../kit/wait-until.ts';

const tools = 'spaces/work/agent/tools';
const greet = {
  [`${tools}/greet.md`]: manifest(
    'greet',
    `parameters:
  - { name: name, type: string, required: true }
  - { name: times, type: integer, default: 1 }
command: echo hello {{name}}`,
  ),
};
const callGreet = (name: string, id?: string) => ({
  name: 'greet',
  arguments: { name },
  ...(id && { id }),
});
const lastOf = ({ messages }: ScriptedRequest): any => messages.at(-1);
const saidIn = (request: ScriptedRequest): string => String(lastOf(request).content);
/** Replies until tools were called; then it returns their results. */
const callThenTell =
  (...calls: { readonly name: string; readonly arguments: object | string }[]): Script =>
  (request) =>
    lastOf(request).role === 'tool' ? { text: `I got: ${saidIn(request)}` } : { toolCalls: calls };

describe('one message', () => {
  test('goes to the model with tools, and what it calls runs and comes back', async () => {
    await using home = await openAgentHome(callThenTell(callGreet('Ada')), { files: greet });
    const events: TurnEvent[] = [];
    const reply = await home.say('Greet Ada', { onEvent: (event) => events.push(event) });
    expect(reply).toMatchObject({
      text: 'I got: hello Ada\n',
      toolCalls: [{ tool: 'work.greet', args: { name: 'Ada' }, result: 'hello Ada\n', ok: true }],
      conversation: { source: 'cli', externalId: 'cli' },
    });
    expect(reply.usage.input).toBeGreaterThan(100);
    expect(events.filter(({ type }) => type !== 'text').map(({ type }) => type)).toEqual([
      'tool_start',
      'tool_end',
    ]);
    expect(heard(events)).toBe(reply.text);
    expect(home.model.refusals).toEqual([]);
  });

  test('has the date before it, and is stored without', async () => {
    await using home = await openAgentHome([{ text: 'Hi.' }, { text: 'Again.' }]);
    await home.say('hello', { replyTo: 'an old message' });
    await home.say('hello again');
    const [first, second] = home.model.requests;
    expect(saidIn(first!)).toMatch(
      /^\[Context: \w+, \w+ \d+, \d{4} at \d+:\d\d [AP]M \(UTC\) \| cli\]\n\n\[Replying to: "an old message"\]\n\nhello$/,
    );
    expect(second!.messages.slice(1, 3)).toEqual([
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'Hi.' },
    ]);
  });

  test('remembers the last 20 messages, calls and results among them', async () => {
    const script: Script = (request) =>
      saidIn(request).endsWith('greet') ? { toolCalls: [callGreet('Bob')] } : { text: 'ok' };
    await using home = await openAgentHome(script, { files: greet });
    await home.say('the very first');
    await home.say('greet');
    for (let at = 0; at < 9; at++) await home.say(`number ${at}`);
    const { messages } = home.model.requests.at(-1)!;
    const said = messages.filter(({ role }: any) => role === 'user').map(({ content }: any) => content);
    expect(said.slice(0, 2)).toEqual(['the very first', 'greet']);
    await home.say('the last');
    const last = home.model.requests.at(-1)!.messages;
    expect(last.filter(({ role }: any) => role === 'user')).toHaveLength(11);
    expect(last[1]).toEqual({ role: 'user', content: 'greet' });
    expect(last[2]).toMatchObject({ role: 'assistant', tool_calls: [{ function: { name: 'greet' } }] });
    expect(last[3]).toMatchObject({ role: 'tool', content: 'hello Bob\n' });
    expect(home.model.refusals).toEqual([]);
  });

  test('runs calls of one reply side by side, and answers them in their order', async () => {
    const files = {
      [`${tools}/first.md`]: manifest(
        'first',
        'command: sh -c "while [ ! -e scratch ]; do sleep 0.01; done; echo 1"',
      ),
      [`${tools}/second.md`]: manifest('second', 'command: sh -c "echo > scratch; echo 2"'),
    };
    const script: Script = [
      {
        toolCalls: [
          { name: 'first', arguments: {}, id: 'a' },
          { name: 'second', arguments: {}, id: 'b' },
        ],
      },
      { text: 'done' },
    ];
    await using home = await openAgentHome(script, { files });
    const reply = await home.say('both');
    const answers = home.model.requests[1]!.messages.slice(-2);
    expect(answers.map(({ tool_call_id, content }: any) => [tool_call_id, content])).toEqual([
      ['a', '1\n'],
      ['b', '2\n'],
    ]);
    // The first waits for the second, and either may end before the other.
    expect(reply.toolCalls.map(({ tool }) => tool).toSorted()).toEqual(['work.first', 'work.second']);
  });

  test('tells what went wrong with a call, so that the model can mend it', async () => {
    const wrong: ScriptedReply = {
      toolCalls: [
        { name: 'greet', arguments: '{"name": "Ada"', id: 'a' },
        { name: 'greet', arguments: { who: 'Ada' }, id: 'b' },
        { name: 'gret', arguments: {}, id: 'c' },
        { name: 'fail', arguments: {}, id: 'd' },
      ],
    };
    const files = {
      ...greet,
      [`${tools}/fail.md`]: manifest('fail', "command: sh -c 'echo oops >&2; exit 7'"),
    };
    await using home = await openAgentHome([wrong, { text: 'sorry' }], { files });
    const { toolCalls } = await home.say('greet');
    const [broken, misfit, unknown, failed] = home.model.requests[1]!.messages.slice(-4).map(
      ({ content }: any) => content as string,
    );
    expect(broken).toMatch(/^Error PEG_INVALID_ARGUMENTS: The arguments are not a JSON object/);
    expect(broken).toContain('"required":["name"]');
    expect(misfit).toMatch(/^Error PEG_INVALID_ARGUMENTS: .*name/s);
    expect(misfit).toContain('The schema of the arguments: {');
    expect(unknown).toMatch(/^Error PEG_TOOL_NOT_FOUND: There is no tool "gret"\. Did you mean work\.greet/);
    expect(failed).toMatch(/^Error PEG_COMMAND_FAILED: .*7/s);
    expect(toolCalls.map(({ ok }) => ok)).toEqual([false, false, false, false]);
    expect(toolCalls.find(({ id }) => id === 'c')!.tool).toBe('gret');
  });

  test('shows the tool that runs when the model goes through execute_tool', async () => {
    const files = { ...greet };
    const call = { name: 'execute_tool', arguments: { name: 'work.greet', params: { name: 'Ada' } } };
    await using home = await openAgentHome(callThenTell(call), { files });
    const started: TurnEvent[] = [];
    const reply = await home.say('greet', {
      onEvent: (event) => event.type === 'tool_start' && started.push(event),
    });
    expect(started).toMatchObject([{ tool: 'work.greet', args: { name: 'Ada' } }]);
    expect(reply.text).toBe('I got: hello Ada\n');
  });

  test('takes marks of the channel out of what the model says, also while it streams', async () => {
    await using home = await openAgentHome([{ text: '[tg:7] Hello there', chunks: 8 }, { text: 'ok' }]);
    const events: TurnEvent[] = [];
    const telegram = {
      source: 'telegram',
      externalId: '5',
      messageTag: 'tg',
      onEvent: (event: TurnEvent) => events.push(event),
    };
    const reply = await home.say('hi', { ...telegram, externalMessageId: '7' });
    expect([reply.text, heard(events)]).toEqual(['Hello there', 'Hello there']);
    await home.say('more', { ...telegram, externalMessageId: '9' });
    const { messages } = home.model.requests[1]!;
    expect(messages[1].content).toBe('[tg:7] hi');
    expect(messages.at(-1).content).toMatch(/\n\n\[tg:9\] more$/);
  });

  test('learns about background jobs that have ended since', async () => {
    const files = { [`${tools}/slow.md`]: manifest('slow', 'command: sleep 0.5') };
    const script: Script = [
      { toolCalls: [{ name: 'background_run', arguments: { mode: 'start', tool: 'slow' } }] },
      { text: 'It runs.' },
      { text: 'It is done.' },
      { text: 'Nothing new.' },
    ];
    await using home = await openAgentHome(script, { files });
    await home.say('start it');
    const list = async (): Promise<string> => {
      const request = { name: 'background_run', args: { mode: 'list' }, caller: 'test' };
      return textOf(await home.host.dispatch({ ...request, scope: home.host.scopeFor(undefined) }));
    };
    const jobs = await waitUntil(list, (text) => !text.includes('running'));
    expect(jobs).toMatch(/^Job 1 \(slow\): done/);
    await home.say('and?');
    expect(saidIn(home.model.requests[2]!)).toMatch(
      /\[Background jobs that have ended\]\n- Job 1 \(slow\): done after \d+ s; background_run \{"mode":"result","id":1\} returns its result\n\nand\?$/,
    );
    await home.say('and now?');
    expect(saidIn(home.model.requests[3]!)).not.toContain('Background jobs');
  });

  test('may be allowed only some tools', async () => {
    await using home = await openAgentHome([{ toolCalls: [callGreet('Ada')] }, { text: 'no' }], {
      files: greet,
    });
    const { toolCalls } = await home.say('greet', { context: { tools: ['read', 'glob'] } });
    const [request] = home.model.requests;
    const names = request!.tools!.map((tool) => tool.function.name);
    expect(names).toEqual(expect.arrayContaining(['read', 'glob']));
    expect(names).not.toContain('bash');
    expect(toolCalls).toMatchObject([{ ok: false, result: expect.stringMatching(/PEG_TOOL_NOT_FOUND/) }]);
  });

  test('is refused for an unknown tool name, with the nearest one', async () => {
    await using home = await openAgentHome([{ text: 'no' }], { files: greet });
    await expect(home.say('greet', { context: { tools: ['read', 'globb'] } })).rejects.toMatchObject({
      code: 'PEG_USAGE',
      message: '"context.tools" names "globb", but the agent has no such tool. Did you mean glob?',
    });
    expect(home.model.requests).toEqual([]);
    const reply = await home.say('greet', { context: { tools: ['filesystem', 'nothing*'] } });
    expect(reply.text).toBe('no');
  });
});

describe('the system prompt and the tools', () => {
  test('are byte-identical from turn to turn while nothing changes', async () => {
    const script: Script = (_request, index) => ({ text: `answer ${index}` });
    await using home = await openAgentHome(script, { files: greet });
    for (const text of ['one', 'two', 'three']) await home.say(text);
    await home.say('four', { source: 'telegram', externalId: '9' });
    const prefixes = home.model.requests.map(({ messages, tools: shown }) =>
      JSON.stringify([messages[0], shown]),
    );
    expect(new Set(prefixes).size).toBe(1);
  });

  test.for([200_000, 60_000, 9_000])(
    'are just what pegboard inject says, with a window of %d tokens',
    async (contextWindow) => {
      await using home = await openAgentHome([{ text: 'hi' }], {
        files: manyTools(120),
        settings: { contextWindow },
      });
      await home.say('hello');
      const injection = await home.host.injectionFor(undefined);
      const [{ messages, tools: sent } = { messages: [], tools: [] }] = home.model.requests;
      expect(injection.contextWindow).toBe(contextWindow);
      expect(sent).toEqual(injection.tools.map((tool) => ({ type: 'function', function: tool })));
      expect(messages[0]).toEqual({ role: 'system', content: injection.prompt });
    },
  );

  test('keep what was used in sight, after everything else', async () => {
    const script: Script = [
      { toolCalls: [{ name: 'tool-7', arguments: {} }] },
      { text: 'ok' },
      { text: 'ok' },
    ];
    await using home = await openAgentHome(script, {
      files: manyTools(120),
      settings: { contextWindow: 13_000 },
    });
    await home.say('do seven');
    await home.say('and now?');
    const [before, , after] = home.model.requests.map((request) => request.tools!);
    expect(before!.map((tool) => tool.function.name)).not.toContain('tool-7');
    expect(after!.slice(0, before!.length)).toEqual(before);
    expect(after!.slice(before!.length).map((tool) => tool.function.name)).toEqual(['tool-7']);
  });
});

describe('a full context window', () => {
  test('has old results shortened, and the history stays whole', async () => {
    const files = { [`${tools}/long.md`]: manifest('long', `command: seq 1 6000`) };
    const script: Script = (request) =>
      lastOf(request).role === 'tool' ? { text: 'read' } : { toolCalls: [{ name: 'long', arguments: {} }] };
    await using home = await openAgentHome(script, { files, settings: { contextWindow: 30_000 } });
    for (let at = 0; at < 4; at++) await home.say(`again ${at}`);
    expect(home.model.refusals).toEqual([]);
    const sizes = home.model.requests.map((request) => JSON.stringify(request).length / 4);
    expect(Math.max(...sizes)).toBeLessThan(30_000);
    const results = home.model.requests.at(-1)!.messages.filter(({ role }: any) => role === 'tool');
    expect(results).toHaveLength(4);
    expect(results[0].content).toMatch(/left out/);
    expect(results[3].content.length).toBeGreaterThan(20_000);
  });
});

const heard = (events: readonly TurnEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');

function manyTools(count: number): { readonly [file: string]: string } {
  const all = Array.from({ length: count }, (_, at) => ({
    id: `tool-${at}`,
    name: `Tool ${at}`,
    description: `Does the thing that has the number ${at}. ${'More is to be said about it. '.repeat(10)}`,
    command: 'echo done',
  }));
  return { 'spaces/work/space.manifest.json': JSON.stringify({ id: 'work', name: 'Work', tools: all }) };
}
