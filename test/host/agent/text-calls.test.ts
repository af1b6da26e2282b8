import { describe, expect, test } from 'vitest';
import type { TurnEvent } from '../../../host/api/conversation.ts';
import { openAgentHome, type AgentHome } from '../../kit/homes/agent-home.ts';
import { manifest } from '../../kit/homes/home.ts';
import type { ScriptedReply } from '../../../host/testing/index.ts';
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
async function openHome(provider: object): Promise<
  AsyncDisposable & {
    readonly home: AgentHome;
    answer(output: string | ScriptedReply, question?: string): Promise<Answered>;
  }
> {
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

describe('calls that models write as text run, and nothing of their markup is shown,', () => {
  test('where tools are described in the prompt', async () => {
    await using opened = await openHome({ native_tool_use: false });
    for (const [title, output, calls, left] of families) {
      const answered = await opened.answer(named(output));
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
    expect(opened.home.model.refusals).toEqual([]);
  });

  test('where the model was sent native tools and its reply is nothing but calls', async () => {
    await using opened = await openHome({ native_tool_use: true });
    for (const [title, output, calls, left] of families) {
      const answered = await opened.answer(named(output));
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
    expect(opened.home.model.refusals).toEqual([]);
  });
});

test('with native tools a reply that makes up results of its call is more than a call, and stays text', async () => {
  await using opened = await openHome({ native_tool_use: true });
  const call = 'Action: read-file\nAction Input: {"path": "a"}';
  for (const output of [
    `${call}\nObservation: it says hello\nFinal Answer: hello`,
    `${call}\nFinal Answer: hello`,
    '{"name": "read-file", "arguments": {"path": "a"}}\n<tool_response>\nhello\n</tool_response>\nIt says hello.',
  ]) {
    const { calls, text: said } = await opened.answer(output);
    expect({ calls, said }).toEqual({ calls: [], said: output });
  }
  const ended = await opened.answer(`${call}\n<|im_end|>\n<|im_start|>assistant\n`);
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
    await using opened = await openHome({ native_tool_use: false });
    const whole = await opened.answer(output);
    expect(whole.calls).toMatchObject([{ tool: 'work.read-file', args: { path: 'a' }, ok: true }]);
    expect(whole.text).toBe('Done.');
    if (output.endsWith('</tool_call>') || output.endsWith('```')) return;
    const cut = await opened.answer({ text: output, finish: 'length' });
    expect(cut.calls.filter(({ ok }) => ok)).toEqual([]);
  },
);

const unreadable: readonly (readonly [title: string, output: string, left?: string])[] = [
  ['broken JSON in a tag', '<tool_call>\n{"name": "shell", "arguments": {"command": "a" "b"}}\n</tool_call>'],
  ['words in a tag', '<tool_call>\nread the file a\n</tool_call>'],
  ['nothing in a tag', '<tool_call>\n</tool_call>'],
  ['broken bare JSON', '{"name": "shell", "arguments": {"command": "a" "b"}}'],
  ['broken JSON in a fence', '```json\n{"name": "shell", "arguments": {"command": "a" "b"}}\n```'],
  ['Mistral without JSON', '[TOOL_CALLS]shell[ARGS]command=ls'],
  ['a program', '<|python_tag|>import os\nprint(os.listdir())'],
  ['a cut call', '<tool_call>\n{"name": "shell", "arguments": {"command": "rm -rf /tmp'],
  ['a cut name', '<tool_call>\n{"name": "she'],
  ['a cut list', '[now(), shell(command="ls'],
  ['a cut line', 'shell(command="rm -rf /'],
  ['cut bare JSON', '{"name": "shell", "arguments": {"command": "rm'],
  [
    'one of two',
    '<tool_call>{"name": "now", "arguments": {}}</tool_call>\n<tool_call>{"name": }</tool_call>',
  ],
  ['an object cut inside its arguments', '{"name": "shell", "arguments": {"command": {"a": 1}'],
  ['ReAct without JSON', 'Action: read-file\nAction Input: the first three lines of a'],
  ['unknown tokens', '<|tool_calls_start|>shell("ls")<|tool_calls_end|>'],
  [
    'two objects of arguments',
    '<tool_call>{"name": "shell", "arguments": {"command": "a"}, "only": "tmp"}</tool_call>',
  ],
];

/** Next to other text, in an answer that is parsed for calls. */
const unclear: typeof unreadable = [
  ['a computed argument', '[shell(command=f"rm {folder}")]'],
  ['a list', '- <tool_call>{"name": "shell", "arguments": {"command": "a"}}</tool_call>', '-'],
  [
    'a warning',
    'Do NOT do this:\n<tool_call>{"name": "shell", "arguments": {"command": "a"}}</tool_call>',
    'Do NOT do this:',
  ],
];

describe('a call that can not be read completely is not run or shown, and the model learns why:', () => {
  for (const native of [false, true])
    test(native ? 'native tools' : 'tools in the prompt', async () => {
      await using opened = await openHome({ native_tool_use: native });
      for (const [title, output, left] of [...unreadable, ...(native ? [] : unclear)]) {
        const { calls, text: said, shown, requests } = await opened.answer(output);
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
      expect(opened.home.model.refusals).toEqual([]);
    });
});

const answers: readonly string[] = [
  'The answer is 42.',
  'A `<tool_call>` tag holds JSON, and <|im_end|> ends a turn.',
  'The <tool_call> tag holds JSON.',
  '```js\nconst a = { name: "read-file", run() {} };\n```',
  '```python\nread_file(path="a")\n```\nThat reads the file.',
  '```json\n{"name": "Ada", "arguments": ["a", "b"]}\n```',
  '{"name": "Ada", "age": 36}',
  '[{"name": "read-file", "size": 3}, {"name": "now", "size": 4}]',
  '{"tools": [{"name": "shell", "parameters": {"type": "object", "properties": {}}}]}',
  '{"type": "function", "function": {"name": "shell", "parameters": {"type": "object", "properties": {"command": {"type": "string"}}}}}',
  '<details>\n<summary>More</summary>\nText.\n</details>',
  '<tool>\n<name>Hammer</name>\n<price>3</price>\n</tool>',
  '<function name="area">\n  return 1\n</function>',
  'For example, a call would look like this:\n```json\n{"name": "shell", "arguments": {"command": "ls"}}\n```\nShall I?',
  'Write:\n\n```xml\n<tool_call>{"name": "shell", "arguments": {"command": "ls"}}</tool_call>\n```\n\nand wait.',
  '{{ name }} is {{ value }}',
  '{{"a": 1}}',
  'shell (in Unix) runs commands.',
  'now() gives the time, and read-file(path) reads.',
  'Action: read the file\nAction Input: none',
  '> <tool_call>{"name": "shell", "arguments": {"command": "ls"}}</tool_call>\n\nThat is what it said.',
  'all\nof them',
  'function call: a call of a function.',
];

describe('prose, code blocks and JSON that is no call stay what they are:', () => {
  for (const native of [false, true])
    test(native ? 'native tools' : 'tools in the prompt', async () => {
      await using opened = await openHome({ native_tool_use: native });
      for (const output of answers) {
        const answered = await opened.answer(output);
        expect(answered.calls, output).toEqual([]);
        expect({ text: answered.text, shown: answered.shown }).toEqual({ text: output, shown: output });
      }
    });

  test('also JSON of a call, where the person wants to see it', async () => {
    for (const native of [false, true]) {
      await using opened = await openHome({ native_tool_use: native });
      const bare = '{"name": "shell", "arguments": {"command": "ls"}}';
      for (const output of [bare, `\`\`\`json\n${bare}\n\`\`\``]) {
        const asked = await opened.answer(output, 'Show me as JSON how you would call shell.');
        expect({ calls: asked.calls, text: asked.text }).toEqual({ calls: [], text: output });
        const told = await opened.answer(output, 'Read config.json and list its folder.');
        expect(told.calls).toMatchObject([{ tool: 'work.shell', ok: true }]);
      }
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
  for (const native of [false, true]) {
    await using opened = await openHome({ native_tool_use: native });
    expect((await opened.answer(output)).text).toBe('Hello.');
  }
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
