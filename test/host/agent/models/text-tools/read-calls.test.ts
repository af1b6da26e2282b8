import { describe, expect, test } from 'vitest';
import { toTools } from '../../../../../host/agent/models/text-tools/format.ts';
import { createStreamBuffer } from '../../../../../host/agent/models/text-tools/stream-buffer.ts';
import { readCalls } from '../../../../../host/agent/models/text-tools/read-calls.ts';
import { aroundCalls, beforeText } from './around-calls.ts';
import { calls as usual } from './calls.ts';
import { offered, type OutputCase } from './cases.ts';
import { families } from './families.ts';
import { callsInBlocks } from './in-blocks.ts';
import { callsInMessages } from './in-messages.ts';
import { citedCalls, cutOffs, noCalls, quotedCalls, shownCalls, unclearCalls } from './no-calls.ts';
import { expectLinear } from '../../../../kit/growth.ts';

const calls = [...usual, ...aroundCalls, ...beforeText, ...families];
const tools = toTools(offered);
const found = (output: string): (readonly [string, unknown])[] =>
  readCalls(output, tools).calls.map(({ name, arguments: text }) => [name, JSON.parse(text)]);
const leftOf = ([, output, expected, text]: OutputCase): string =>
  text ?? (expected.length > 0 ? '' : output);

describe('a call is read from', () => {
  test.for(calls)('%s', (one) => {
    expect(found(one[1])).toEqual(one[2]);
    expect(readCalls(one[1], tools).calls.map(({ problem }) => problem)).toEqual(one[2].map(() => undefined));
    expect(readCalls(one[1], tools).text).toBe(leftOf(one));
  });
});

describe('nothing is called by', () => {
  test.for([...noCalls, ...shownCalls, ...quotedCalls])('%s', (one) => {
    expect(found(one[1])).toEqual([]);
    expect(readCalls(one[1], tools).text).toBe(leftOf(one).trim());
  });
});

describe('a call that is not a statement of its own does not run, and the model learns why:', () => {
  test.for([...unclearCalls, ...citedCalls, ...callsInBlocks, ...callsInMessages])('%s', ([, output]) => {
    const { calls } = readCalls(output, tools);
    expect(calls.length).toBeGreaterThan(0);
    for (const { problem } of calls) expect(problem).toMatch(/a call only runs when it is on lines|computed/);
  });

  test('a call after what is shown, and one whose values look like it, run', () => {
    for (const before of [
      '```md\n```json\n{}\n```\n',
      '<!-- a -->\n',
      '    code\n\n',
      '| a |\n\n',
      '> a\n\n',
    ])
      expect(found(`See:\n${before}<tool_call>{"name": "now", "arguments": {}}</tool_call>`)).toEqual([
        ['now', {}],
      ]);
    for (const command of ['<!-- a', '```\n~~~\n<pre>', '    x\n| y', 'do not run this, for example'])
      expect(
        found(
          `Go on:\n<tool_call>${JSON.stringify({ name: 'bash', arguments: { command } })}</tool_call>\n<tool_call>{"name": "now", "arguments": {}}</tool_call>`,
        ),
      ).toEqual([
        ['bash', { command }],
        ['now', {}],
      ]);
    expect(found(String.raw`[bash(command=r"C:\new", path=f"plain")]`)).toEqual([
      ['bash', { command: String.raw`C:\new`, path: 'plain' }],
    ]);
  });
});

describe('a call that is cut off never runs:', () => {
  test.for(cutOffs)('%s', ([, output]) => {
    for (const { arguments: text } of readCalls(output, tools).calls) {
      expect(() => JSON.parse(text)).toThrow();
    }
  });

  test('wherever an answer ends, only calls run that the whole answer makes', () => {
    // In reasoning that never ends, only the last part counts, if the answer was complete.
    for (const [, output, expected] of calls.filter(([title]) => !title.includes('think'))) {
      const whole = expected.map((call) => JSON.stringify(call));
      for (let end = 1; end < output.length; end++) {
        const runnable = readCalls(output.slice(0, end), tools)
          .calls.map(({ name, arguments: text }) => [name, parsed(text)])
          .filter(([, args]) => args !== undefined);
        for (const call of runnable) expect(whole, output.slice(0, end)).toContain(JSON.stringify(call));
      }
    }
  });
});

test.for<[string, string]>([
  ['', '[THINK]'],
  ['', '<code>'],
  ['', '<|channel|>analysis<|message|>'],
  ['', '\n{a:/*'],
  ['', '<tool_call>'],
  ['', '<function=bash><parameter=a>\n'],
  ['<function=bash><parameter=a>', ' '],
  ['<function=bash><parameter=', 'a'],
  ['<|channel|>commentary to=', 'a'],
  ['<|tool_call>call:a{b:', ' '],
  ['<tool_call>bash<arg_key>', '</arg_key><arg_value>'],
  ['', '<tool_call a="'],
  ['', '<tool>\n'],
  ['', '<tool name="bash">\n'],
  ['', '<bash>\n<command>'],
  ['', '<bash><command>a</command>\n'],
  ['', '\n>>>bash\n{'],
  ['', 'bash{'],
  ['', '\nfunctools[{'],
  ['', '<|tools_prefix|>['],
  ['', '<|tool_calls_start|>'],
  ['', '<|channel>thought'],
  ['', '<a>'],
  ['', '<a>\n'],
  ['', '\n```x'],
  ['', '\n~~~~\n'],
  ['', '<!-- '],
  ['', '""" '],
  ['', '`a`` '],
  ['', '``a` '],
  ['', '[code]'],
  ['', '\n    x\n| '],
  ['', '</a><pre>'],
  ['', '<|recipient|>bash<|content|>{'],
  ['', '✿FUNCTION✿: bash ✿ARGS✿: {'],
  ['', '\nAction: bash\nAction Input: '],
  ['', '{'],
  ['', '{{'],
  ['', '\n{"name": "bash", "arguments": {"a": "b" "c"}}'],
  ['{"name": "bash", "arguments": ', '{"a": '],
  ['<tool_call>{"name": "now"}</tool_call>', ' "a'],
  ['<tool_call>{"name": "now"}</tool_call>', "\n'a\n"],
  ['<tool_call>{"name": "now"}</tool_call>', '\na: "'],
  ['<tool_call>{"name": "now"}</tool_call>', '„“»'],
  ['<tool_call>{"name": "now"}</tool_call>', 'a a'],
  ['', '"\n<tool_call>{"name": "now"}</tool_call>\n"'],
  ['', '- a\n  <tool_call>{"name": "now"}</tool_call>\n'],
  ['<tool_call>{"name": "now"}</tool_call>', ' - a\n'],
  ['<tool_call>{"name": "now"}</tool_call>', '- '],
  ['<tool_call>{"name": "now"}</tool_call>', '> a\nb\n'],
  ['<tool_call>{"name": "now"}</tool_call>', '1.'],
  ['<tool_call>{"name": "now"}</tool_call>', 'a 10:42\n'],
  ['<tool_call>{"name": "now"}</tool_call>', '10:'],
  ['', 'a:\n<tool_call>{"name": "now"}</tool_call>'],
])('an answer of %j and many of %j takes time by its length', async ([start, part]) => {
  await expectLinear((length) => readCalls(start + part.repeat(length / part.length), tools), 20_000);
});

describe('while it comes in,', () => {
  test.for([...calls, ...noCalls, ...shownCalls, ...quotedCalls])(
    'only what is text in the end is shown of %s',
    (one) => {
      const { text } = readCalls(one[1], tools);
      for (const size of [1, 3, 7, 1000]) {
        const holdBack = createStreamBuffer(tools);
        let heard = '';
        for (let at = 0; at < one[1].length; at += size) heard += holdBack.add(one[1].slice(at, at + size));
        expect(heard).toBe(holdBack.shown);
        // A closing tag alone means that everything before it was reasoning, which the listener is notified of.
        if (!one[0].includes('end of thinking alone')) expect(text.startsWith(heard), heard).toBe(true);
      }
    },
  );

  test('text with no markup in it is not held back', () => {
    const holdBack = createStreamBuffer(tools);
    expect(holdBack.add('a < b, [1] and {x}: ')).toBe('a < b, [1] and {x}:');
    expect(holdBack.add('see\n\n```js\nread()\n```\nfor ')).toBe(' see\n\n```js\nread()\n```\nfor');
    expect(holdBack.add('\n{"city": "Paris"}\n[x](y) ')).toBe(' \n{"city": "Paris"}\n[x](y)');
  });
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
