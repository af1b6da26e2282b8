import { execFileSync } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { startPegboard, type RunningCli } from '../../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../../kit/homes/home.ts';
import { keys, startOnTerminal, type RunningOnTerminal } from '../../../kit/pty.ts';
import {
  startScriptedModel,
  type Script,
  type ScriptedModel,
  type ScriptedReply,
} from '../../../../host/testing/index.ts';

const tools = 'spaces/work/agent/tools';

function homeWithTools(): Promise<TestHome> {
  return createHome({
    [`${tools}/greet.md`]: manifest(
      'greet',
      `parameters:
  - { name: name, type: string, required: true }
command: printf 'Hello %s\\n' {{name}}`,
    ),
    [`${tools}/ask.md`]: manifest('ask', 'command: echo ran\nconfirm: true'),
    [`${tools}/wait.md`]: manifest('wait', 'command: sleep 62.5'),
  });
}

function startChat(home: TestHome, model: ScriptedModel, args: readonly string[] = []): RunningOnTerminal {
  return startOnTerminal(args, { home: home.path, env: modelAt(model) });
}

/** A chat without a terminal, which is killed when disposed. */
const startApart = (home: TestHome, model: ScriptedModel): RunningCli =>
  startPegboard([], { home: home.path, env: modelAt(model), apart: true });

const startJob = (tool: string): ScriptedReply => ({
  text: '',
  toolCalls: [call('background_run', { mode: 'start', tool })],
});

const modelAt = ({ baseUrl }: ScriptedModel): Record<string, string> => ({
  OPENAI_BASE_URL: baseUrl,
  OPENAI_API_KEY: 'test',
  PEGBOARD_MODEL: 'openai/scripted',
});

const call = (name: string, args: object = {}): { name: string; arguments: object } => ({
  name,
  arguments: args,
});
/** The user's message in a request, without the host's preamble. */
const saidIn = (message: { content: unknown }): string =>
  typeof message.content === 'string' ? message.content : JSON.stringify(message.content);

/** Replies with the number of the request, and its text. */
const echo: Script = (request, index) => ({
  text: `Answer ${index + 1}: ${saidIn(request.messages.at(-1)).slice(-40)}`,
});

describe('an answer', () => {
  test('comes as Markdown; its tools are shown as they run, with what came of them, and then what it took', async () => {
    await using home = await homeWithTools();
    await using model = await startScriptedModel([
      {
        text: 'I greet **both**.',
        toolCalls: [call('greet', { name: 'Ada' }), call('greet', { name: 'Bob' })],
      },
      { text: '# Done\n\n- *Ada*\n- `Bob`\n', usage: { cost: 0.0042 } },
    ]);
    await using chat = startChat(home, model);
    const greeting = await chat.waitFor(/›/);
    expect(greeting).toContain(home.path);
    expect(greeting).toContain('openai/scripted');
    chat.child.stdin.write(`greet them${keys.enter}`);
    const shown = await chat.waitFor(/ in, \d+ out, \$0\.0042, [\d.]+ s/);
    expect(shown).toContain('I greet both.');
    expect(shown).toMatch(/✓ work\.greet name=Ada · Hello Ada · [\d.]+ s/);
    expect(shown).toMatch(/✓ work\.greet name=Bob · Hello Bob · [\d.]+ s/);
    expect(shown).toMatch(/• Ada\r?\n• Bob/);
    chat.child.stdin.write(keys.ctrlD);
    const { code, stdout } = await chat.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('\x1b[1mboth\x1b[22m');
    expect(stdout.trimEnd()).toMatch(/\x1b\[\?2004l$/);
    expect(model.refusals).toEqual([]);
  });

  test('cannot move the cursor, whatever a model or a tool says', async () => {
    await using home = await createHome({
      [`${tools}/evil.md`]: manifest('evil', `command: printf '\\033[2Jevil\\033]0;title\\007'`),
    });
    await using model = await startScriptedModel([
      { text: '', toolCalls: [call('evil', { '\x1b[2Jx': '\x1b[3J' })] },
      { text: 'Bye \x1b[2J\x1b]0;owned\x07 now.', chunks: 9 },
    ]);
    await using chat = startChat(home, model, ['--yes']);
    await chat.waitFor(/›/);
    chat.child.stdin.write(`go${keys.enter}`);
    await chat.waitFor(/Bye now\.[^]*›/);
    chat.child.stdin.write(keys.ctrlD);
    const { stdout } = await chat.ended;
    expect(stdout).not.toMatch(/\x1b\[[23]J|owned\x07|title\x07/);
  });

  test('shows retries and the final failure; the chat continues', async () => {
    await using home = await homeWithTools();
    await using model = await startScriptedModel((_request, index) =>
      index === 0
        ? { faults: { status: 500, message: 'overloaded' } }
        : index === 1
          ? { text: 'Here I am.' }
          : { faults: { status: 401, message: 'no such key' } },
    );
    await using chat = startChat(home, model);
    await chat.waitFor(/›/);
    chat.child.stdin.write(`hello${keys.enter}`);
    await chat.waitFor(/· .*overloaded[^]*Here I am\.[^]*›/);
    chat.child.stdin.write(`again${keys.enter}`);
    await chat.waitFor(/error: .*no such key[^]*›/);
    chat.child.stdin.write(keys.ctrlD);
    expect(await chat.ended).toMatchObject({ code: 0 });
  });
});

describe('while a turn runs', () => {
  test('a confirmation shows the exact command, and "no" is passed on to the model', async () => {
    await using home = await homeWithTools();
    await using model = await startScriptedModel([{ toolCalls: [call('ask')] }, { text: 'As you wish.' }]);
    await using chat = startChat(home, model);
    await chat.waitFor(/›/);
    chat.child.stdin.write(`run it${keys.enter}`);
    expect(await chat.waitFor(/Run work\.ask\?[^]*● No/)).toMatch(/┃ echo ran/);
    chat.child.stdin.write('n');
    const shown = await chat.waitFor(/As you wish\.[^]*›/);
    expect(shown).toMatch(/✗ work\.ask/);
    expect(saidIn(model.requests[1]!.messages.at(-1))).toMatch(/declined/);
    chat.child.stdin.write(keys.ctrlD);
    await chat.ended;
  });

  test('a question of the agent shows its choices, and the answer is what was picked', async () => {
    await using home = await homeWithTools();
    const args = { question: 'Which colour?', choices: ['red', 'green'] };
    await using model = await startScriptedModel([
      { toolCalls: [call('ask_user', args)] },
      { text: 'Green it is.' },
    ]);
    await using chat = startChat(home, model);
    await chat.waitFor(/›/);
    chat.child.stdin.write(`paint it${keys.enter}`);
    await chat.waitFor(/Which colour\?[^]*○ red[^]*○ green[^]*● None of these/);
    chat.child.stdin.write(keys.up);
    await chat.waitFor(/● green/);
    chat.child.stdin.write(keys.enter);
    await chat.waitFor(/Green it is\.[^]*›/);
    expect(saidIn(model.requests[1]!.messages.at(-1))).toContain('green');
    chat.child.stdin.write(keys.ctrlD);
    await chat.ended;
  });

  test('a question is asked in each turn; Enter and Ctrl-D decline it, and the chat continues', async () => {
    await using home = await homeWithTools();
    const script: Script = ({ messages }) => {
      const { role } = messages.at(-1)!;
      return role === 'tool' ? { text: `It said: ${saidIn(messages.at(-1))}` } : { toolCalls: [call('ask')] };
    };
    await using model = await startScriptedModel(script);
    await using chat = startChat(home, model);
    await chat.next(/›/);
    const pressed: [string, RegExp][] = [
      [keys.enter, /It said: [^]*not run[^]*› \s*$/],
      [keys.ctrlD, /It said: [^]*not run[^]*› \s*$/],
      ['y', /It said: ran[^]*› \s*$/],
      ['y', /It said: ran[^]*› \s*$/],
    ];
    for (const [key, outcome] of pressed) {
      chat.child.stdin.write(`run it${keys.enter}`);
      await chat.next(/Run work\.ask\?[^]*● No/);
      chat.child.stdin.write(key);
      await chat.next(outcome);
    }
    chat.child.stdin.write(`/call gree${keys.tab}`);
    await chat.next(/› \/call greet $/m);
    chat.child.stdin.write(`name=Ada${keys.enter}`);
    await chat.next(/Hello Ada[^]*› \s*$/);
    chat.child.stdin.write(keys.ctrlD);
    expect(await chat.ended).toMatchObject({ code: 0 });
  });

  test('Ctrl-C at a question stops the turn, and not the answer alone', async () => {
    await using home = await homeWithTools();
    await using model = await startScriptedModel([{ toolCalls: [call('ask')] }]);
    await using chat = startChat(home, model);
    await chat.waitFor(/›/);
    chat.child.stdin.write(`run it${keys.enter}`);
    await chat.waitFor(/Run work\.ask\?[^]*● No/);
    chat.child.stdin.write(keys.ctrlC);
    await chat.waitFor(/Stopped\.[^]*›/);
    chat.child.stdin.write(keys.ctrlD);
    expect(await chat.ended).toMatchObject({ code: 0 });
    expect(model.requests).toHaveLength(1);
  });

  test.each([
    ['Ctrl-C', keys.ctrlC],
    ['Escape', keys.escape],
  ])('%s stops it and its tools, and what was typed meanwhile is kept', async (_key, stop) => {
    await using home = await homeWithTools();
    await using model = await startScriptedModel([
      { toolCalls: [call('wait'), call('wait')] },
      { text: 'Fine.' },
    ]);
    await using chat = startChat(home, model);
    await chat.waitFor(/›/);
    chat.child.stdin.write(`wait${keys.enter}`);
    await chat.waitFor(/work\.wait · [\d.]+ s[^]*work\.wait · [\d.]+ s/);
    chat.child.stdin.write('and then this');
    await chat.waitFor(/› and then this/);
    chat.child.stdin.write(stop);
    await chat.waitFor(/✗ work\.wait[^]*✗ work\.wait[^]*Stopped\.[^]*› and then this/);
    chat.child.stdin.write(keys.enter);
    await chat.waitFor(/Fine\.[^]*›/);
    expect(saidIn(model.requests[1]!.messages.at(-1))).toContain('and then this');
    chat.child.stdin.write(keys.ctrlC);
    await chat.waitFor(/Press Ctrl-D/);
    chat.child.stdin.write(keys.ctrlC);
    expect(await chat.ended).toMatchObject({ code: 130 });
  });

  test('messages that are sent meanwhile wait for their turn, and Ctrl-D leaves after them', async () => {
    await using home = await homeWithTools();
    const first = Promise.withResolvers<void>();
    await using model = await startScriptedModel(async (_request, index) => {
      if (index === 0) await first.promise;
      return { text: `Answer ${index + 1}.` };
    });
    await using chat = startChat(home, model);
    await chat.waitFor(/›/);
    chat.child.stdin.write(`one${keys.enter}`);
    await model.received(0);
    chat.child.stdin.write(`two${keys.enter}${keys.ctrlD}`);
    await chat.waitFor(/› two/);
    first.resolve();
    const { code, stdout } = await chat.ended;
    expect(code).toBe(0);
    expect(stripVTControlCharacters(stdout)).toMatch(/Answer 1\.[^]*Answer 2\./);
  });

  test('Ctrl-D that is typed while a tool runs is not lost, without a model either', async () => {
    await using home = await createHome({
      [`${tools}/nap.md`]: manifest('nap', 'command: sleep 1 && echo rested'),
    });
    await using session = startOnTerminal([], { home: home.path });
    await session.waitFor(/›/);
    session.child.stdin.write(`nap${keys.enter}`);
    await session.waitFor(/Running work\.nap/);
    session.child.stdin.write(keys.ctrlD);
    const { code, stdout } = await session.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('rested');
  });
});

describe('a conversation', () => {
  test('continues in the next session, until /new', async () => {
    await using home = await homeWithTools();
    await using model = await startScriptedModel(echo);
    for (const text of ['my name is Ada', 'who am I']) {
      await using chat = startChat(home, model);
      await chat.waitFor(/›/);
      chat.child.stdin.write(`${text}${keys.enter}`);
      await chat.waitFor(/Answer \d[^]*›/);
      chat.child.stdin.write(keys.ctrlD);
      await chat.ended;
    }
    expect(JSON.stringify(model.requests[1]!.messages)).toContain('my name is Ada');
    await using chat = startChat(home, model);
    await chat.waitFor(/›/);
    chat.child.stdin.write(`/new${keys.enter}`);
    await chat.waitFor(/A fresh conversation/);
    chat.child.stdin.write(`hello${keys.enter}`);
    await chat.waitFor(/Answer 3[^]*›/);
    expect(JSON.stringify(model.requests[2]!.messages)).not.toContain('Ada');
    chat.child.stdin.write(`/history${keys.enter}`);
    await chat.screenShows(/\d{4}-\d\d-\d\d \d\d:\d\d\n› hello\n\nAnswer 3/);
    chat.child.stdin.write(`/quit${keys.enter}`);
    expect(await chat.ended).toMatchObject({ code: 0 });
  });

  test('that was killed in the middle is intact, and the next session says so', async () => {
    await using home = await homeWithTools();
    await using model = await startScriptedModel([{ faults: { hangAfter: 0 } }, { text: 'Going on.' }]);
    {
      await using chat = startApart(home, model);
      chat.child.stdin.write('a long job\n');
      await model.received(0);
    }
    await using chat = startChat(home, model);
    await chat.waitFor(/The last turn was interrupted: "a long job"\. \/continue goes on with it/);
    chat.child.stdin.write(`/continue${keys.enter}`);
    await chat.waitFor(/Going on\.[^]*›/);
    // The first message says how many tools there are: more on a terminal.
    expect(model.requests[1]!.messages.slice(1)).toEqual(model.requests[0]!.messages.slice(1));
    chat.child.stdin.write(`/continue${keys.enter}`);
    await chat.waitFor(/No turn of this conversation was interrupted/);
    chat.child.stdin.write(keys.ctrlD);
    await chat.ended;
  });

  test('announces a job that ended while idle at once, and no more at the next start', async () => {
    await using home = await homeWithTools();
    const gate = join(home.path, 'spaces/work/gate');
    execFileSync('mkfifo', [gate]);
    await home.write(`${tools}/gate.md`, manifest('gate', 'command: cat gate'));
    await using model = await startScriptedModel([startJob('gate'), { text: 'It runs.' }]);
    {
      await using chat = startChat(home, model);
      await chat.waitFor(/›/);
      chat.child.stdin.write(`start it${keys.enter}`);
      await chat.waitFor(/It runs\.[^]*›/);
      await appendFile(gate, 'through\n');
      await chat.waitFor(/Job \d \(gate\): done after \d+ s\. Ask me for its result\.[^]*›/);
      chat.child.stdin.write(keys.ctrlD);
      await chat.ended;
    }
    await using chat = startChat(home, model);
    await chat.waitFor(/›/);
    chat.child.stdin.write(keys.ctrlD);
    expect((await chat.ended).stdout).not.toContain('(gate)');
  });

  test('announces a job that was interrupted at the next start', async () => {
    await using home = await homeWithTools();
    await using model = await startScriptedModel([startJob('wait'), { text: 'It runs.' }]);
    {
      await using chat = startApart(home, model);
      chat.child.stdin.write('start it\n');
      await chat.waitFor(/It runs\./);
    }
    await using chat = startChat(home, model);
    await chat.waitFor(/Job \d \(wait\): interrupted, because Pegboard was stopped[^]*›/);
    chat.child.stdin.write(keys.ctrlD);
    await chat.ended;
  });

  test('takes messages of several lines: pasted, or with a backslash', async () => {
    await using home = await homeWithTools();
    await using model = await startScriptedModel(echo);
    await using chat = startChat(home, model);
    await chat.waitFor(/›/);
    chat.child.stdin.write('\x1b[200~first\rsecond\tx\x1b[201~');
    await chat.waitFor(/› first\r?\n {2}second/);
    chat.child.stdin.write(keys.enter);
    await chat.waitFor(/Answer 1[^]*›/);
    chat.child.stdin.write(`third\\${keys.enter}fourth${keys.enter}`);
    await chat.waitFor(/Answer 2[^]*›/);
    const [one, two] = model.requests.map(({ messages }) => saidIn(messages.at(-1)));
    expect(one).toMatch(/first\nsecond\tx$/);
    expect(two).toMatch(/third\nfourth$/);
    chat.child.stdin.write(keys.up);
    await chat.waitFor(/› third\r?\n {2}fourth\s*$/);
    chat.child.stdin.write(keys.ctrlC + keys.ctrlC);
    await chat.ended;
  });

  test('slash commands complete, say what was meant, and leave the agent out', async () => {
    await using home = await homeWithTools();
    await using model = await startScriptedModel([]);
    await using chat = startChat(home, model);
    await chat.waitFor(/›/);
    chat.child.stdin.write(`/too${keys.tab}wor${keys.tab}${keys.enter}`);
    await chat.waitFor(/work\.greet/);
    chat.child.stdin.write(`/toolz${keys.enter}`);
    await chat.waitFor(/There is no \/toolz\. Did you mean \/tools\?/);
    chat.child.stdin.write(`/call greet name=Ada${keys.enter}`);
    await chat.waitFor(/Hello Ada/);
    chat.child.stdin.write(`/agent work${keys.enter}`);
    await chat.waitFor(/work answers now/);
    chat.child.stdin.write(`/usage${keys.enter}`);
    await chat.waitFor(/No model was used/);
    chat.child.stdin.write(`/help${keys.enter}`);
    expect(await chat.waitFor(/\/quit +Leave/)).toMatch(/\/call TOOL \[key=value…\]/);
    chat.child.stdin.write(keys.ctrlD);
    expect(await chat.ended).toMatchObject({ code: 0 });
    expect(model.requests).toEqual([]);
  });

  test('the name of a skill behind a slash has the agent use it', async () => {
    await using home = await createHome({
      'spaces/work/agent/skills/standup.md':
        '---\nname: standup\ndescription: How a standup goes\n---\nThree sentences, no more.',
    });
    await using model = await startScriptedModel(echo);
    await using chat = startChat(home, model, ['--agent', 'work']);
    await chat.waitFor(/work · openai\/scripted[^]*›/);
    chat.child.stdin.write(`/sta${keys.tab}`);
    await chat.waitFor(/\/standup +\/status/);
    chat.child.stdin.write(`n${keys.tab}for Monday${keys.enter}`);
    await chat.waitFor(/Answer 1[^]*›/);
    expect(JSON.stringify(model.requests[0]!.messages)).toContain('Three sentences, no more.');
    chat.child.stdin.write(`/skills${keys.enter}`);
    await chat.waitFor(/\/standup +How a standup goes/);
    chat.child.stdin.write(keys.ctrlD);
    await chat.ended;
  });

  test('/model lets another model answer from now on', async () => {
    await using home = await homeWithTools();
    await using model = await startScriptedModel(echo, { models: [{ id: 'scripted' }, { id: 'other' }] });
    await using chat = startChat(home, model);
    await chat.waitFor(/›/);
    chat.child.stdin.write(`/model other${keys.enter}`);
    await chat.waitFor(/openai\/other answers from now on/);
    chat.child.stdin.write(`hello${keys.enter}`);
    await chat.waitFor(/Answer 2[^]*›/);
    expect(model.requests[1]!.model).toBe('other');
    expect(await home.read('pegboard.yaml')).toContain('default: openai/other');
    chat.child.stdin.write(keys.ctrlD);
    await chat.ended;
  });

  test('/model stays with the present model when the other fails its test, unless it is insisted on', async () => {
    await using home = await homeWithTools();
    const broken: Script = () => ({ faults: { status: 401 } });
    await using model = await startScriptedModel(broken, { models: [{ id: 'scripted' }] });
    await using chat = startChat(home, model);
    await chat.waitFor(/›/);
    chat.child.stdin.write(`/model openai/scripted${keys.enter}`);
    await chat.waitFor(/refused the key[^]*Nothing was changed/);
    expect(await home.read('pegboard.yaml').catch(() => '')).not.toContain('default:');
    chat.child.stdin.write(`/model openai/scripted --anyway${keys.enter}`);
    await chat.waitFor(/now names openai\/scripted as the model/);
    chat.child.stdin.write(keys.ctrlD);
    await chat.ended;
  });
});
