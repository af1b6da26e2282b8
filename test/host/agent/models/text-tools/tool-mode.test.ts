import { describe, expect, test } from 'vitest';
import type { Model } from '../../../../../host/api/model.ts';
import { withToolMode } from '../../../../../host/agent/models/text-tools/tool-mode.ts';
import { isReadable } from '../../../../../host/agent/models/text-tools/unreadable.ts';
import { silentLogger } from '../../../../../host/core/log.ts';
import { ask } from '../../../../kit/servers/scripted-model-client.ts';
import { answers, unclear, unreadable } from './answers.ts';
import { offered } from './cases.ts';
import { families } from './families.ts';

/** Also under the names that they have in the tables of answers. */
const names: { readonly [name: string]: string } = { bash: 'shell', read_file: 'read-file' };
const tools = [
  ...offered,
  ...offered.flatMap((tool) => (names[tool.name] ? [{ ...tool, name: names[tool.name]! }] : [])),
];

/** A model without a server, which says this in eleven pieces. */
const saying = (text: string): Model => ({
  id: 'test/said',
  contextWindow: 32_000,
  nativeTools: true,
  async respond(_request, onEvent) {
    const size = Math.max(1, Math.ceil(text.length / 11));
    for (let at = 0; at < text.length; at += size) onEvent({ type: 'text', text: text.slice(at, at + size) });
    return { text, toolCalls: [], usage: { input: 0, output: 0 }, model: 'test/said', finish: 'stop' };
  },
});

/** What an agent makes of the answer. `shown`: everything that was ever shown of it, including discarded text. */
async function heardFrom(
  native: boolean,
  output: string,
): Promise<{ text: string; shown: string; calls: Awaited<ReturnType<typeof ask>>['reply']['toolCalls'] }> {
  const { reply, events } = await ask(withToolMode(saying(output), native, silentLogger), { tools });
  const shown = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  return { text: reply.text, shown, calls: reply.toolCalls };
}

describe.each([
  ['tools in the prompt', false],
  ['native tools', true],
] as const)('with %s', (_, native) => {
  test.for(families)('the calls of an answer are found, and nothing of them is shown: %s', async (one) => {
    const [, output, expected, left] = one;
    const { text, shown, calls } = await heardFrom(native, output);
    // With native tools, an answer that is more than calls stays text.
    if (native && left !== undefined) return expect(calls).toEqual([]);
    expect(calls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual(expected);
    expect(calls.filter((call) => !isReadable(call))).toEqual([]);
    expect({ text, shown }).toEqual({ text: left ?? '', shown: left ?? '' });
  });

  test.for([...unreadable, ...(native ? [] : unclear)])(
    'a call that can not be read completely is one that does not run, and is not shown: %s',
    async ([, output, left = '']) => {
      const { text, shown, calls } = await heardFrom(native, output);
      expect(calls.length).toBeGreaterThan(0);
      expect(calls.filter(isReadable)).toEqual([]);
      expect({ text, shown: left === '' ? shown : left }).toEqual({ text: left, shown: left });
    },
  );

  test.for(answers.map((output) => [output]))(
    'what is no call stays what it is: %j',
    async ([output = '']) => {
      expect(await heardFrom(native, output)).toEqual({ text: output, shown: output, calls: [] });
    },
  );
});
