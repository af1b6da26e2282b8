import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openAgentHome } from '../../kit/homes/agent-home.ts';
import type { ScriptedRequest } from '../../../host/testing/index.ts';
import { ledgerPlugin, declaredModules } from './ledger-plugin.ts';

/** The texts of a request's messages, by role. */
function said(request: ScriptedRequest | undefined, role: string): string {
  return (request?.messages ?? [])
    .filter((message) => message.role === role)
    .map(({ content }) => JSON.stringify(content))
    .join('\n');
}

test('a turn knows who the agent is and its skills; the system prompt stays the same, the chosen skill goes with the message', async () => {
  const files = {
    'spaces/personal/agent/agent.yaml': 'system_prompt: Mind the gap.\n',
    'spaces/personal/agent/SOUL.md': 'Calm as a lake.\n',
    'spaces/personal/agent/USER.md': 'Her name is Ada.\n',
    'spaces/personal/agent/skills/daily-standup.md':
      '---\nname: daily-standup\ndescription: Reports of yesterday\n---\nBegin with the weather.\n',
  };
  await using home = await openAgentHome(() => ({ text: 'Done.' }), { files });
  await home.say('Hello');
  await home.say('/daily-standup please');
  const [first, second] = home.model.requests;
  for (const text of [
    'Mind the gap.',
    'Calm as a lake.',
    'Her name is Ada.',
    'daily-standup: Reports of yesterday',
  ])
    expect(said(first, 'system')).toContain(text);
  expect(said(second, 'system')).toBe(said(first, 'system'));
  expect(said(first, 'user')).not.toContain('Begin with the weather.');
  expect(said(second, 'user')).toContain('### daily-standup\\nBegin with the weather.');
});

test('the first turn sets the modules up, and the model gets the tools that are allowed', async () => {
  const files = { 'spaces/work/agent/agent.yaml': declaredModules, ...ledgerPlugin };
  const script = (_request: unknown, index: number) =>
    index === 0 ? { toolCalls: [{ name: 'ledger__list_tables', arguments: {} }] } : { text: 'Done.' };
  await using home = await openAgentHome(script, { files, development: true });
  const { toolCalls } = await home.say('What is there?', { agent: 'work' });
  expect(toolCalls[0]!.result).toContain(join(home.home.path, 'spaces/work/data.db'));
  const names = home.model.requests[0]!.tools!.map(({ function: { name } }) => name);
  expect(names).toContain('ledger__fetch_results');
  expect(names).not.toContain('ledger__execute_query');
  expect(names).not.toContain('bash');
});

test('a step that fails is the error of the turn, and no model is asked', async () => {
  const files = {
    'spaces/work/agent/agent.yaml': declaredModules.replace('data.db', 'missing.db'),
    ...ledgerPlugin,
  };
  await using home = await openAgentHome(() => ({ text: 'Done.' }), { files, development: true });
  await expect(home.say('Hello', { agent: 'work' })).rejects.toMatchObject({
    code: 'PEG_TOOL_FAILED',
    message: expect.stringContaining('agent.yaml:10:11') as string,
  });
  expect(home.model.requests).toEqual([]);
});
