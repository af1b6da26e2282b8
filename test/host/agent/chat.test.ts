import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { configFor } from '../../kit/homes/agent-home.ts';
import { pegboard, pegboardJson, startPegboard } from '../../kit/cli.ts';
import { createHome, createUnusedHome, manifest, type TestHome } from '../../kit/homes/home.ts';
import { manyTools, windows } from '../../kit/homes/many-tools.ts';
import { startOnTerminal } from '../../kit/pty.ts';
import {
  startScriptedModel,
  type Script,
  type ScriptedModel,
  type ScriptedReply,
} from '../../../host/testing/index.ts';
import { waitUntil } from '../../kit/wait-until.ts';

const tools = 'spaces/work/agent/tools';
const deploy = manifest(
  'deploy',
  `tags: [release, publish, website]
parameters:
  - { name: site, type: string, required: true }
command: echo deployed {{site}}
confirm: true`,
);

interface ChatJson {
  readonly text: string;
  readonly toolCalls: readonly { readonly tool: string; readonly ok: boolean; readonly result: string }[];
  readonly usage: { readonly input: number };
  readonly conversation: { readonly id: number };
}

function homeOf(model: ScriptedModel, files: { readonly [file: string]: string } = {}, models: object = {}) {
  return createHome({ 'pegboard.yaml': configFor(model, models), ...files });
}

describe('a chat in which the model finds a tool, is let run it, and answers', () => {
  type Step = { readonly name: string; readonly arguments: object };
  const search: Step = { name: 'search_tools', arguments: { queries: ['release website publish'] } };
  const run: Step = { name: 'deploy', arguments: { site: 'blog' } };
  const steps: { readonly [mode in keyof typeof windows]: readonly Step[] } = {
    direct: [run],
    // It saw no schema: the error of the first try contains it.
    compact_direct: [{ name: 'deploy', arguments: { name: 'blog' } }, run],
    discovery: [search, { name: 'execute_tool', arguments: { name: 'work.deploy', params: run.arguments } }],
  };
  const asText = ({ name, arguments: args }: Step): string =>
    `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`;

  test.for(
    (Object.keys(windows) as (keyof typeof windows)[]).flatMap((mode) =>
      [true, false].map((native) => [mode, native ? 'native calls' : 'calls as text', native] as const),
    ),
  )('%s, %s', async ([mode, , native]) => {
    const script: Script = (_request, index): ScriptedReply => {
      const step = steps[mode][index];
      if (!step) return { text: 'The blog is **online**.' };
      return native ? { toolCalls: [step] } : { text: asText(step) };
    };
    await using model = await startScriptedModel(script);
    const providers = { scripted: { base_url: model.baseUrl, native_tool_use: native } };
    const files = { [`${tools}/deploy.md`]: deploy, ...manyTools };
    await using home = await homeOf(model, files, { providers, contextWindow: windows[mode] });
    await using chat = startOnTerminal(['chat', 'Publish the blog'], { home: home.path });
    expect(await chat.waitFor(/Run work\.deploy\?[\s\S]*Yes, this once/)).toContain('echo deployed blog');
    chat.child.stdin.write('y');
    const { code } = await chat.ended;
    expect(await chat.screenShows(/✓ work\.deploy .*· \d+\.\d s/)).toContain('The blog is online.');
    expect(code).toBe(0);
    const [first, ...later] = model.requests;
    const inSight = JSON.stringify(native ? first!.tools : first!.messages[0]);
    expect(inSight.includes('deploy')).toBe(mode !== 'discovery');
    expect(JSON.stringify(later.at(-1)!.messages)).toContain('deployed blog');
    expect(model.refusals).toEqual([]);
  });
});

describe('pegboard chat', () => {
  const greet = { [`${tools}/greet.md`]: manifest('greet', 'command: echo hello') };
  const greeting: Script = (request) =>
    request.messages.at(-1).role === 'tool'
      ? { text: 'Greeted.' }
      : { toolCalls: [{ name: 'greet', arguments: {} }] };

  test('puts the answer on stdout and the tools on stderr', async () => {
    await using model = await startScriptedModel(greeting);
    await using home = await homeOf(model, greet);
    const { code, stdout, stderr } = await pegboard(['chat', 'greet', 'me'], { home: home.path });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Greeted.\n' });
    expect(stderr).toMatch(/^✓ work\.greet \{\} · \d+\.\d s\n$/);
    expect(model.requests[0]!.messages.at(-1).content).toMatch(/\n\ngreet me$/);
  });

  test('shows Markdown on a terminal as the prompt does, and writes it as it is into a pipe', async () => {
    const text = '# Plan\n\n- first **now**\n- then `ls`\n';
    await using model = await startScriptedModel(() => ({ text, chunks: 20 }));
    await using home = await homeOf(model);
    await using chat = startOnTerminal(['chat', 'plan'], { home: home.path });
    const { code } = await chat.ended;
    expect(code).toBe(0);
    // Slow answers are drawn several times: what stays counts.
    expect(await chat.screenShows(/Plan\s+• first now\s+• then ls/)).not.toMatch(/# Plan|\*\*|`/);
    expect(await pegboard(['chat', 'plan'], { home: home.path })).toMatchObject({
      code: 0,
      stdout: text,
      stderr: '',
    });
  });

  test('says on a terminal why there is no answer, once', async () => {
    await using model = await startScriptedModel([{ faults: { status: 401, message: 'Incorrect API key' } }]);
    await using home = await homeOf(model);
    await using chat = startOnTerminal(['chat', 'hi'], { home: home.path });
    const { code, stdout } = await chat.ended;
    expect(code).toBe(1);
    expect(stripVTControlCharacters(stdout).match(/Incorrect API key/g)).toHaveLength(1);
  });

  test('--json prints one document; the conversation goes on until --new, and others go by name', async () => {
    await using model = await startScriptedModel(greeting);
    await using home = await homeOf(model, greet);
    const chat = (...args: string[]): Promise<ChatJson> =>
      pegboardJson(['chat', 'hi', ...args], { home: home.path });
    const first = await chat();
    expect(first).toEqual({
      text: 'Greeted.',
      toolCalls: [
        {
          id: expect.any(String),
          tool: 'work.greet',
          args: {},
          result: 'hello\n',
          ok: true,
          ms: expect.any(Number),
        },
      ],
      usage: { input: expect.any(Number), output: expect.any(Number) },
      conversation: { source: 'cli', externalId: 'cli', id: 1 },
    });
    const later = [];
    for (const args of [['--new'], [], ['--conversation', 'trip']])
      later.push((await chat(...args)).conversation.id);
    expect(later).toEqual([2, 2, 3]);
  });

  test('reads the message from stdin', async () => {
    await using model = await startScriptedModel([{ text: 'ok' }]);
    await using home = await homeOf(model);
    const { stdout } = await pegboard(['chat', '-'], { home: home.path, input: 'first line\nsecond line\n' });
    expect(stdout).toBe('ok\n');
    expect(model.requests[0]!.messages.at(-1).content).toMatch(/\n\nfirst line\nsecond line$/);
  });

  test('declines what needs a confirmation where nobody is, and runs it with --yes', async () => {
    const script: Script = (request) =>
      request.messages.at(-1).role === 'tool'
        ? { text: request.messages.at(-1).content }
        : { toolCalls: [{ name: 'deploy', arguments: { site: 'blog' } }] };
    await using model = await startScriptedModel(script);
    await using home = await homeOf(model, { [`${tools}/deploy.md`]: deploy });
    expect((await pegboard(['chat', 'deploy'], { home: home.path })).stdout).toMatch(
      /^Error PEG_NOBODY_TO_ASK: /,
    );
    expect((await pegboard(['chat', 'deploy', '--yes'], { home: home.path })).stdout).toBe('deployed blog\n');
  });

  test('takes a dispatch request, with the only tools that the agent may use', async () => {
    await using model = await startScriptedModel([{ text: 'ok' }]);
    await using home = await homeOf(model, { ...greet, 'spaces/work/agent/agent.yaml': 'id: work\n' });
    const request = {
      type: 'dispatch',
      agentID: 'work',
      message: 'greet',
      context: { tools: ['greet', 'read'] },
    };
    const chat = (input: string) => pegboard(['chat', '--request', '-'], { home: home.path, input });
    expect(await chat(JSON.stringify(request))).toMatchObject({ code: 0, stdout: 'ok\n' });
    const [sent] = model.requests;
    expect(sent!.messages[0].content).toContain('You are agent "work" (role: assistant).');
    const names = sent!.tools!.map((tool) => tool.function.name);
    expect(names).toEqual(expect.arrayContaining(['greet', 'read']));
    expect(names).not.toContain('bash');
    const { code, stderr } = await chat('{"type":"dispatch","agentId":"work"}');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/did you mean "agentID"\?/) });
  });

  test('without a model ends with 2, and tells how to connect one', async () => {
    await using home = await createUnusedHome();
    const env = {
      OPENAI_API_KEY: undefined,
      OPENAI_BASE_URL: undefined,
      OPENROUTER_API_KEY: undefined,
      PEGBOARD_MODEL: undefined,
    };
    const { code, stdout, stderr } = await pegboard(['chat', 'hi'], { home: home.path, env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^error: No model is connected\.[\s\S]*OPENAI_API_KEY[\s\S]*OPENROUTER_API_KEY[\s\S]*ollama/,
    );
    expect(existsSync(join(home.path, 'data/pegboard.db'))).toBe(false);
  });

  test('tries again after 429, 500 and an answer that broke off, and runs no tool twice', async () => {
    const script: Script = [
      { faults: { status: 429, retryAfter: 0 } },
      { toolCalls: [{ name: 'greet', arguments: {} }], faults: { cutAfter: 2 } },
      { toolCalls: [{ name: 'greet', arguments: {} }] },
      { faults: { status: 500 } },
      { text: 'Greeted.' },
    ];
    await using model = await startScriptedModel(script);
    await using home = await homeOf(model, {
      [`${tools}/greet.md`]: manifest('greet', 'command: sh -c "echo hello >> log; echo hello"'),
    });
    const { code, stdout } = await pegboard(['chat', 'greet'], { home: home.path });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Greeted.\n' });
    expect(await home.read('spaces/work/log')).toBe('hello\n');
    expect(model.requests).toHaveLength(5);
  });

  test('says what the provider says, in a sentence', async () => {
    await using model = await startScriptedModel([{ faults: { status: 401, message: 'Incorrect API key' } }]);
    await using home = await homeOf(model);
    const { code, stdout, stderr } = await pegboard(['chat', 'hi'], { home: home.path });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^error: scripted\/test refused the request \(401\): Incorrect API key.* Check the key/,
    );
  });
});

describe('in the middle of a turn', () => {
  const waiting = {
    [`${tools}/wait.md`]: manifest('wait', 'command: sh -c "echo > started; exec sleep 63.75"'),
    [`${tools}/greet.md`]: manifest('greet', 'command: echo hello'),
  };
  const started = (home: TestHome) => waitUntil(() => existsSync(join(home.path, 'spaces/work/started')));

  test('kill -9 loses nothing that was said or done, and the next turn knows what was interrupted', async () => {
    const script: Script = [
      { toolCalls: [{ name: 'greet', arguments: {} }] },
      { toolCalls: [{ name: 'wait', arguments: {} }] },
      { text: 'Where were we?' },
    ];
    await using model = await startScriptedModel(script);
    await using home = await homeOf(model, waiting);
    await using chat = startPegboard(['chat', 'greet, then wait'], { home: home.path, apart: true });
    await started(home);
    chat.child.kill('SIGKILL');
    await chat.ended;
    const { code, stdout, stderr } = await pegboard(['chat', 'and?'], { home: home.path });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Where were we?\n' });
    expect(stderr).toMatch(
      /was interrupted: "greet, then wait"\. `.*pegboard chat --continue` goes on with it/,
    );
    const history = model.requests[2]!.messages.slice(1);
    const roles = ['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant', 'user'];
    expect(history.map(({ role }: any) => role)).toEqual(roles);
    expect(history[0].content).toBe('greet, then wait');
    expect(history[2].content).toBe('hello\n');
    expect(history[4].content).toMatch(/^This call was interrupted .* Whether it took effect is not known/);
    expect(history[5].content).toBe('[This answer was interrupted: Pegboard ended]');
    expect(model.refusals).toEqual([]);
    for (const pid of await sleepers()) process.kill(pid, 'SIGKILL');
  });

  test('kill -9, then --continue: goes on with the same rounds, and names the call that was cut off', async () => {
    const script: Script = [
      { text: 'First I greet.', toolCalls: [{ name: 'greet', arguments: {}, id: 'call_a' }] },
      { toolCalls: [{ name: 'wait', arguments: {}, id: 'call_b' }] },
      { text: 'I looked.' },
    ];
    await using model = await startScriptedModel(script);
    await using home = await homeOf(model, waiting);
    await using chat = startPegboard(['chat', 'greet, then wait'], { home: home.path, apart: true });
    await started(home);
    chat.child.kill('SIGKILL');
    await chat.ended;
    const { code, stdout } = await pegboard(['chat', '--continue', '--json'], {
      home: home.path,
      apart: true,
    });
    expect(code).toBe(0);
    const { text, toolCalls, uncertain } = JSON.parse(stdout);
    expect(text).toMatch(
      /^First I greet\.\n\nI looked\.\n\n⚠️ Pegboard was interrupted during this: `work\.wait \{\}`\./,
    );
    expect(toolCalls).toMatchObject([
      { id: 'call_a', ok: true },
      { id: 'call_b', ok: false },
    ]);
    expect(uncertain).toMatchObject([{ tool: 'work.wait' }]);
    // No answered request is made again, and the model sees what it has seen.
    const [first, second, third] = model.requests;
    expect(model.requests).toHaveLength(3);
    expect(second!.messages.slice(0, 2)).toEqual(first!.messages);
    expect(third!.messages.slice(0, 4)).toEqual(second!.messages);
    expect(third!.messages.at(-1).content).toContain('Whether it took effect is not known');
    const again = await pegboard(['chat', '--continue'], { home: home.path });
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('No turn of this conversation') });
    for (const pid of await sleepers()) process.kill(pid, 'SIGKILL');
  });

  test('Ctrl-C ends the turn, the tool that runs and everything that it started', async () => {
    await using model = await startScriptedModel([{ toolCalls: [{ name: 'wait', arguments: {} }] }]);
    await using home = await homeOf(model, waiting);
    await using chat = startPegboard(['chat', 'wait'], { home: home.path });
    await started(home);
    chat.child.kill('SIGINT');
    expect((await chat.ended).code).toBe(130);
    expect(await sleepers()).toEqual([]);
    expect(model.requests).toHaveLength(1);
  });

  test('Ctrl-C ends an answer that is coming in', async () => {
    await using model = await startScriptedModel([{ text: 'A long story', faults: { hangAfter: 2 } }]);
    await using home = await homeOf(model);
    await using chat = startPegboard(['chat', 'tell'], { home: home.path });
    await chat.waitFor(/A lo/);
    chat.child.kill('SIGINT');
    await model.closed(0);
    expect((await chat.ended).code).toBe(130);
  });
});

/** Processes that `wait` left. */
async function sleepers(): Promise<number[]> {
  const found = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.startsWith('sleep\u000063.75')) found.push(Number(pid));
  }
  return found;
}
