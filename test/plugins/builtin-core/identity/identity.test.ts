import { expect, test } from 'vitest';
import type { Question } from '../../../../host/api/ask.ts';
import { textOf } from '../../../../host/tools/result.ts';
import { openAgentHome } from '../../../kit/homes/agent-home.ts';

const files = { 'spaces/personal/agent/SOUL.md': 'You are calm.\n' };
const update = { name: 'identity_update', arguments: { file: 'soul', content: 'You are cheerful.\n' } };

test('an agent reads who it is, and changes it when a person has seen the difference; the next prompt has it', async () => {
  await using home = await openAgentHome(
    [
      { toolCalls: [update] },
      { toolCalls: [{ name: 'identity_read', arguments: { file: 'soul' } }] },
      { toolCalls: [update] },
      { text: 'I feel better.' },
      { text: 'Hi!' },
    ],
    { files },
  );
  const asked: Question[] = [];
  const reply = await home.say('Cheer up', {
    ask: async (question) => {
      asked.push(question);
      return { action: 'accept' };
    },
  });
  expect(reply.toolCalls.map(({ ok, result }) => [ok, result])).toEqual([
    [false, expect.stringContaining('has not been read')],
    [true, expect.stringContaining('You are calm.')],
    [true, expect.stringContaining('SOUL.md is updated')],
  ]);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.detail).toContain('-You are calm.\n+You are cheerful.');
  expect(await home.home.read('spaces/personal/agent/SOUL.md')).toBe('You are cheerful.\n');

  await home.say('hello');
  const prompts = home.model.requests.map(({ messages }) => JSON.stringify(messages[0]));
  expect(prompts[0]).toContain('You are calm.');
  expect(prompts.at(-1)).toContain('You are cheerful.');
});

test('nobody there to ask means that nothing is changed', async () => {
  const read = { name: 'identity_read', arguments: {} };
  await using home = await openAgentHome([{ toolCalls: [read] }, { toolCalls: [update] }, { text: 'no' }], {
    files,
  });
  const reply = await home.say('Cheer up');
  expect(reply.toolCalls[1]).toMatchObject({ ok: false, result: expect.stringContaining('nobody to ask') });
  expect(await home.home.read('spaces/personal/agent/SOUL.md')).toBe('You are calm.\n');
});

test('usage is summed by model, source and tool for whoever asks', async () => {
  const usage = { name: 'usage_stats', arguments: { by: 'day' } };
  await using home = await openAgentHome([{ toolCalls: [usage] }, { text: 'done' }]);
  await home.say('What did it cost?');
  const call = async (args: object) =>
    await home.host.dispatch({
      name: 'usage_stats',
      args,
      scope: home.host.scopeFor(undefined),
      caller: 'test',
    });
  expect((await call({ by: 'source' })).structured).toMatchObject({ lines: [{ name: 'cli', calls: 2 }] });
  expect((await call({ by: 'tool' })).structured).toMatchObject({
    lines: [{ name: 'core.usage_stats', calls: 1, failed: 0 }],
  });
  expect(textOf(await call({ by: 'model', days: 1 }))).toMatch(/test: 2 calls, \d+ tokens in/);
  expect(textOf(await call({ by: 'tool', source: 'telegram' }))).toContain('Nothing was used');
});
