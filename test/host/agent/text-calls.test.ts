import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TurnEvent } from '../../../host/api/conversation.ts';
import { openAgentHome, type AgentHome } from '../../kit/homes/agent-home.ts';
import { manifest } from '../../kit/homes/home.ts';
import type { ScriptedReply } from '../../../host/testing/index.ts';
import { rounds } from '../../kit/run/tiers.ts';
import { answers, unclear, unreadable } from './models/text-tools/answers.ts';
import { families } from './models/text-tools/families.ts';

const text = (...names: readonly string[]): string =>
  `parameters:\n${names.map((name) => `  - { name: ${name}, type: string }`).join('\n')}`;
const files = {
  'spaces/work/agent/tools/read-file.md': manifest(
    'read-file',
    `parameters:
  - { name: path, type: string, required: true }
  - { name: lines, type: integer }
command: echo read {{path}}`,
  ),
  'spaces/work/agent/tools/write-file.md': manifest(
    'write-file',
    `${text('path', 'content')}\ncommand: echo wrote {{path}}`,
  ),
  'spaces/work/agent/tools/shell.md': manifest('shell', `${text('command')}\ncommand: echo ran {{command}}`),
  'spaces/work/agent/tools/now.md': manifest('now', 'command: date'),
};
/** The corpus's names, as manifests may have them. */
const named = (output: string): string =>
  output
    .replaceAll('read_file', 'read-file')
    .replaceAll('write_file', 'write-file')
    .replaceAll('bash', 'shell');

/** A home whose model answers what `say` is given, and then "Done." */
async function openHome(provider: object): Promise<Opened> {
  const replies: ScriptedReply[] = [];
  const home = await openAgentHome(() => replies.shift() ?? { text: 'Done.' }, { files, provider });
  let conversation = 0;
  return {
    home,
    async answer(output, question = 'Do it.') {
      replies.push(typeof output === 'string' ? { text: output, chunks: 11 } : output);
      const shown: string[] = [];
      const onEvent = (event: TurnEvent): void => {
        if (event.type === 'text') shown.push(event.text);
      };
      const before = home.model.requests.length;
      const reply = await home.say(question, { externalId: `c${conversation++}`, onEvent });
      return {
        text: reply.text,
        shown: shown.join(''),
        calls: reply.toolCalls
          .map(({ tool, args, ok, result }) => ({ tool, args, ok, result }))
          // They run in parallel.
          .toSorted((a, b) => b.tool.localeCompare(a.tool)),
        requests: home.model.requests.slice(before),
      };
    },
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

interface Opened extends AsyncDisposable {
  readonly home: AgentHome;
  answer(output: string | ScriptedReply, question?: string): Promise<Answered>;
}

interface Answered {
  readonly text: string;
  /** Everything that was ever shown of it, including discarded text. */
  readonly shown: string;
  readonly calls: readonly {
    readonly tool: string;
    readonly args: unknown;
    readonly ok: boolean;
    readonly result: string;
  }[];
  readonly requests: AgentHome['model']['requests'];
}

const expectedOf = (calls: (typeof families)[number][2]): readonly (readonly [string, object])[] =>
  calls
    .map(([name, args]) => [`work.${named(name)}`, args] as const)
    .toSorted(([a], [b]) => b.localeCompare(a));

/** The tables are read without turns in `models/text-tools/tool-mode.test.ts`: here, every nth goes through a whole one. */
const every = rounds({ usual: 10, all: 1, soak: 1 });
const someOf = <T>(table: readonly T[]): readonly T[] => table.filter((_, at) => at % every === 0);

/** The homes of both kinds: with tools described in the prompt, and with native ones. */
let inPrompt: Opened;
let native: Opened;
beforeAll(async () => {
  inPrompt = await openHome({ native_tool_use: false });
  native = await openHome({ native_tool_use: true });
});
afterAll(async () => {
  for (const opened of [inPrompt, native]) {
    await opened[Symbol.asyncDispose]();
    expect(opened.home.model.refusals).toEqual([]);
  }
});

describe('calls that models write as text run, and nothing of their markup is shown,', () => {
  test('where tools are described in the prompt', async () => {
    for (const [title, output, calls, left] of someOf(families)) {
      const answered = await inPrompt.answer(named(output));
      expect(
        answered.calls.map(({ tool, args }) => [tool, args]),
        title,
      ).toEqual(expectedOf(calls));
      expect(
        answered.calls.every(({ ok }) => ok),
        title,
      ).toBe(true);
      const said = [left, 'Done.'].filter((part) => part !== undefined).join('\n\n');
      expect(answered.text, title).toBe(said);
      expect(answered.shown.replaceAll(/\s+/g, ' '), title).toBe(said.replaceAll(/\s+/g, ' '));
    }
  });

  test('where the model was sent native tools and its reply is nothing but calls', async () => {
    for (const [title, output, calls, left] of someOf(families)) {
      const answered = await native.answer(named(output));
      if (left !== undefined) {
        expect(answered.calls, title).toEqual([]);
        continue;
      }
      expect(
        answered.calls.map(({ tool, args }) => [tool, args]),
        title,
      ).toEqual(expectedOf(calls));
      expect({ text: answered.text, shown: answered.shown }, title).toEqual({
        text: 'Done.',
        shown: 'Done.',
      });
      expect(answered.requests[1]!.tools, title).toBeDefined();
    }
  });
});

test('with native tools a reply that makes up results of its call is more than a call, and stays text', async () => {
  const call = 'Action: read-file\nAction Input: {"path": "a"}';
  for (const output of [
    `${call}\nObservation: it says hello\nFinal Answer: hello`,
    `${call}\nFinal Answer: hello`,
    '{"name": "read-file", "arguments": {"path": "a"}}\n<tool_response>\nhello\n</tool_response>\nIt says hello.',
  ]) {
    const { calls, text: said } = await native.answer(output);
    expect({ calls, said }).toEqual({ calls: [], said: output });
  }
  const ended = await native.answer(`${call}\n<|im_end|>\n<|im_start|>assistant\n`);
  expect(ended.calls).toMatchObject([{ tool: 'work.read-file', ok: true }]);
});

test.for([
  ['an object', '{"name": "read-file", "arguments": {"path": "a"}'],
  ['a list', '[{"name": "read-file", "arguments": {"path": "a"}}'],
  ['a tag that is closed', '<tool_call>\n{"name": "read-file", "arguments": {"path": "a"}\n</tool_call>'],
  ['a tag that is not', '<tool_call>\n{"name": "read-file", "arguments": {"path": "a"}'],
  ['a fence', '```json\n{"name": "read-file", "arguments": {"path": "a"}\n```'],
  ['Mistral', '[TOOL_CALLS][{"name": "read-file", "arguments": {"path": "a"}}'],
])(
  'a call of which only the last bracket is missing runs if the model was done: %s',
  async ([, output = '']) => {
    const whole = await inPrompt.answer(output);
    expect(whole.calls).toMatchObject([{ tool: 'work.read-file', args: { path: 'a' }, ok: true }]);
    expect(whole.text).toBe('Done.');
    if (output.endsWith('</tool_call>') || output.endsWith('```')) return;
    const cut = await inPrompt.answer({ text: output, finish: 'length' });
    expect(cut.calls.filter(({ ok }) => ok)).toEqual([]);
  },
);

describe.each([
  ['native tools', () => native],
  ['tools in the prompt', () => inPrompt],
] as const)('with %s', (_, opened) => {
  test('a call that can not be read completely is not run or shown, and the model learns why', async () => {
    const rows = [...someOf(unreadable), ...(opened() === inPrompt ? someOf(unclear) : [])];
    for (const [title, output, left] of rows) {
      const { calls, text: said, shown, requests } = await opened().answer(output);
      expect(calls.length, title).toBeGreaterThan(0);
      expect(
        calls.filter(({ ok }) => ok),
        title,
      ).toEqual([]);
      const whole = left === undefined ? 'Done.' : `${left}\n\nDone.`;
      expect({ said, shown: left === undefined ? shown : whole }, title).toEqual({
        said: whole,
        shown: whole,
      });
      expect(JSON.stringify(requests[1]!.messages), title).toContain('Nothing was run');
    }
  });

  test('prose, code blocks and JSON that is no call stay what they are', async () => {
    for (const output of someOf(answers)) {
      const answered = await opened().answer(output);
      expect(answered.calls, output).toEqual([]);
      expect({ text: answered.text, shown: answered.shown }).toEqual({ text: output, shown: output });
    }
  });

  test('JSON of a call stays what it is where the person wants to see it', async () => {
    const bare = '{"name": "shell", "arguments": {"command": "ls"}}';
    for (const output of [bare, `\`\`\`json\n${bare}\n\`\`\``]) {
      const asked = await opened().answer(output, 'Show me as JSON how you would call shell.');
      expect({ calls: asked.calls, text: asked.text }).toEqual({ calls: [], text: output });
      const told = await opened().answer(output, 'Read config.json and list its folder.');
      expect(told.calls).toMatchObject([{ tool: 'work.shell', ok: true }]);
    }
  });
});

test.for([
  ['Command R', '<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>Hello.<|END_RESPONSE|>'],
  ['Gemma 4', '<|channel>thought\nhm\n<channel|>Hello.<turn|>'],
  [
    'Seed',
    '<seed:think>a<seed:cot_budget_reflect>128</seed:cot_budget_reflect>b</seed:think>\nHello.<seed:eos>',
  ],
  ['Seed in between', 'Hello.\n<seed:cot_budget_reflect>I have used 64 tokens.</seed:cot_budget_reflect>'],
  ['Apertus', '<|inner_prefix|>hm<|inner_suffix|>Hello.<|assistant_end|>'],
  [
    'Harmony',
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hello.<|return|>',
  ],
  ['Functionary', '<|from|>assistant\n<|recipient|>all\n<|content|>Hello.<|stop|>'],
  ['Qwen', '<think>\nhm\n</think>\n\nHello.<|im_end|>'],
])('thoughts and control tokens are never shown: %s', async ([, output = '']) => {
  for (const opened of [inPrompt, native]) expect((await opened.answer(output)).text).toBe('Hello.');
});

test('a model that calls native tools in text is remembered: from then on tools are described in its prompt', async () => {
  await using opened = await openHome({ native_tool_use: 'auto' });
  const call = '<tool_call>{"name": "shell", "arguments": {"command": "ls"}}</tool_call>';
  const first = await opened.answer(call);
  expect(first.calls).toMatchObject([{ tool: 'work.shell', args: { command: 'ls' }, ok: true }]);
  expect(first.requests.map(({ tools }) => tools !== undefined)).toEqual([true, false]);
  const second = await opened.answer(`Let me look.\n${call}`);
  expect(second.calls).toMatchObject([{ tool: 'work.shell', ok: true }]);
  expect(second.text).toBe('Let me look.\n\nDone.');
  expect(second.requests[0]!.tools).toBeUndefined();
  expect(second.requests[0]!.messages[0].content).toContain('# How to call tools');
  expect(opened.home.model.refusals).toEqual([]);
});
