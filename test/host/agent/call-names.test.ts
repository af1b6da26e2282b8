import { describe, expect, test } from 'vitest';
import { openAgentHome } from '../../kit/homes/agent-home.ts';
import { manifest } from '../../kit/homes/home.ts';
import { manyTools, windows } from '../../kit/homes/many-tools.ts';
import type { Script, ScriptedReply } from '../../../host/testing/index.ts';

const files = {
  'spaces/work/agent/tools/greet.md': manifest(
    'greet',
    `parameters:
  - { name: name, type: string, required: true }
command: echo hello {{name}}`,
  ),
  ...manyTools,
};
const forms = ['greet', 'work.greet', 'work__greet', 'mcp__work__greet', 'mcp__pegboard__greet'] as const;
const ways = [
  ['native calls', true],
  ['calls as text', false],
] as const;

const nameIn = (request: { readonly messages: readonly any[] }): string =>
  request.messages.findLast(({ role }) => role === 'assistant').tool_calls[0].function.name;

describe('a tool runs by every form of its name, in', () => {
  test.for(
    (Object.keys(windows) as (keyof typeof windows)[]).flatMap((mode) =>
      ways.map(([way, native]) => [mode, way, native] as const),
    ),
  )('%s with %s', async ([mode, , native]) => {
    const call = (name: string): ScriptedReply =>
      native
        ? { toolCalls: [{ name, arguments: { name: 'Ada' } }] }
        : { text: JSON.stringify({ name, arguments: { name: 'Ada' } }) };
    const script: Script = (_request, index) =>
      index % 2 === 0 ? call(forms[index / 2]!) : { text: 'done' };
    await using home = await openAgentHome(script, {
      files,
      provider: { native_tool_use: native },
      settings: { contextWindow: windows[mode] },
    });
    expect((await home.host.injectionFor(undefined)).mode).toBe(mode);
    for (const form of forms) {
      const reply = await home.say('greet Ada');
      expect(reply.toolCalls, form).toMatchObject([{ tool: 'work.greet', ok: true, result: 'hello Ada\n' }]);
      expect(reply.text).toBe('done');
    }
    expect(home.model.refusals).toEqual([]);
    // The history contains the name that the model was, or would be, shown.
    if (native) for (const at of [1, 3, 5, 7, 9]) expect(nameIn(home.model.requests[at]!)).toBe('greet');
  });
});

test.for([
  'no.such tool',
  'does it: greet(name)',
  'read file ✨',
  'ferramentas/ação',
  `${'very_'.repeat(20)}long`,
  ' ',
])('a call of %j is answered, and no provider refuses the history', async (name) => {
  const script: Script = (request) =>
    request.messages.at(-1).role === 'tool'
      ? { text: String(request.messages.at(-1).content) }
      : { toolCalls: [{ name, arguments: {} }] };
  await using home = await openAgentHome(script, { files });
  const first = await home.say('do it');
  expect(first.text).toContain('PEG_TOOL_NOT_FOUND');
  await home.say('again');
  expect(home.model.refusals).toEqual([]);
});
