import { expect, test } from 'vitest';
import { startScriptedModel } from '../../../../host/testing/index.ts';
import type { AgentDetails, AgentRow, AgentTexts } from '../../../../plugins/builtin-page/agents/wire.ts';
import { configFor } from '../../../kit/homes/agent-home.ts';
import { manifest } from '../../../kit/homes/home.ts';
import { servePage } from '../../../kit/web/served-page.ts';

test('an agent says what it may do and what its model is sent, as it would be sent', async () => {
  await using model = await startScriptedModel([]);
  await using page = await servePage({
    'pegboard.yaml': configFor({ baseUrl: model.baseUrl }),
    'spaces/mail/agent/agent.yaml': `name: Mail
description: Answers mail
default: true
system_prompt: Be brief.
`,
    'spaces/mail/agent/SOUL.md': 'You are calm.',
    'spaces/mail/agent/skills/replies/SKILL.md':
      '---\nname: replies\ndescription: How to reply\n---\n\nGreet first, then answer.\n',
    'spaces/mail/agent/tools/send.md': manifest('send', 'command: echo sent'),
  });
  const { agents } = (await page.ask('agents')).body as { readonly agents: readonly AgentRow[] };
  expect(agents.find(({ id }) => id === 'mail')).toMatchObject({
    name: 'Mail',
    isDefault: true,
    file: 'spaces/mail/agent/agent.yaml',
  });
  const details: AgentDetails = (await page.ask('agent/mail')).body;
  expect(details.models).toMatchObject([{ contextWindow: expect.any(Number) }]);
  expect(details.skills).toMatchObject([{ name: 'replies', tokens: 6 }]);
  const { shown } = details;
  expect(shown.parts.map(({ title }) => title)).toEqual([
    'Rules for every agent',
    'SOUL.md',
    'Its own instructions, and its skills by name',
    'How to use its tools',
  ]);
  expect(shown.tools).toContainEqual(expect.objectContaining({ id: 'mail.send', name: 'send' }));
  expect(shown.tools.length + shown.hidden).toBe(details.tools);
  const texts: AgentTexts = (await page.ask('agent-texts/mail')).body;
  expect(texts.parts.map(({ text }) => text).join()).toContain('You are calm.');
  const injected = await page.host.injectionFor('mail');
  expect(texts.parts.map(({ text }) => text).join('\n\n')).toBe(injected.prompt);
  expect(shown.tools.map(({ name }) => name)).toEqual(injected.tools.map(({ name }) => name));
  expect(shown.reason).toBe(injected.reason);
  expect(await page.ask('agent/nobody')).toMatchObject({
    status: 422,
    body: { error: { message: expect.stringContaining('no agent "nobody"') } },
  });
});

test('a model that cannot be used says why, and a secret in a prompt is not shown', async () => {
  await using page = await servePage({
    'spaces/mail/agent/agent.yaml':
      'name: Mail\ndescription: Answers mail\nbrain: { model: nowhere/one }\nsystem_prompt: The key is k9Zq3vXw7Rty1uPo5sDf.\n',
  });
  await page.host.secrets.set('MAIL_KEY', 'k9Zq3vXw7Rty1uPo5sDf', 'owner');
  const details: AgentDetails = (await page.ask('agent/mail')).body;
  expect(details.modelProblem).toContain('nowhere');
  const { body } = await page.ask('agent-texts/mail');
  expect(JSON.stringify(body)).not.toContain('k9Zq3vXw7Rty1uPo5sDf');
});
