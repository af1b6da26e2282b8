import { expect, test } from 'vitest';
import { createHost } from '../../../../host/create-host.ts';
import { configFor, openAgentHome } from '../../../kit/homes/agent-home.ts';
import { pegboardJson } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import {
  startScriptedModel,
  type ScriptedReply,
  type ScriptedRequest,
} from '../../../../host/testing/index.ts';

const textOf = (request: ScriptedRequest): string => JSON.stringify(request.messages);

/** An agent that remembers when it is asked to, and a worker, both behind one server. */
function answer(request: ScriptedRequest): ScriptedReply {
  if (request.model === 'worker') {
    const notes = [{ text: 'The user breeds alpacas', priority: 'high', messages: [3] }];
    return { text: textOf(request).includes('numbers of the messages') ? JSON.stringify(notes) : '{}' };
  }
  const last = request.messages.at(-1);
  if (last.role === 'user' && JSON.stringify(last).includes('Remember'))
    return { toolCalls: [{ name: 'memory_store', arguments: { content: 'Likes jasmine tea' } }] };
  return { text: 'All right.' };
}

test('in a host, what an agent stores and a worker observes is in the next turn, and survives the host', async () => {
  await using model = await startScriptedModel((request) => answer(request));
  await using home = await createHome({ 'pegboard.yaml': configFor(model) });
  const environment = { PATH: process.env['PATH'], TIMEZONE: 'UTC', MEMORY_WORKER_MODEL: 'scripted/worker' };
  const talk = async (...texts: readonly string[]): Promise<void> => {
    await using host = await createHost({ home: home.path, environment });
    for (const text of texts) await host.converse({ source: 'cli', externalId: 'cli', text });
  };
  await talk('Remember that I like jasmine tea', `I breed alpacas. ${'x'.repeat(13_000)}`, 'Thanks');
  await talk('Hello again');
  const asked = textOf(model.requests.filter((request) => request.model !== 'worker').at(-1)!);
  expect(asked).toContain(
    '[Recent memories -- use these for context, pattern recognition, and continuity]\\n- (fact) The user breeds alpacas\\n- (note) Likes jasmine tea',
  );
  expect(asked).toContain('[Earlier in this conversation]\\n- (!) The user breeds alpacas');
  expect(asked).not.toContain('xxxx');
  expect(asked).toContain('Thanks');
  expect(model.refusals).toEqual([]);
  const why = await pegboardJson<{ messages: { text: string }[] }>(['memory', 'why', '2'], {
    home: home.path,
  });
  expect(why.messages[0]!.text).toMatch(/^I breed alpacas/);
});

test('long answers, one after the other, in several conversations, are all answered, stored and found', async () => {
  // So long, with one repeated word, that the index of messages gets several levels.
  await using agent = await openAgentHome((_request, index) => ({
    text: `answer ${index}. ${'word '.repeat(1_200)}`,
  }));
  for (let at = 0; at < 24; at++) {
    const reply = await agent.say(`question ${at}`, { externalId: `chat ${at % 3}` });
    expect(reply.text).toContain(`answer ${at}.`);
  }
  const { content } = await agent.host.dispatch({
    name: 'memory_recall',
    args: { query: 'question 23' },
    scope: agent.host.scopeFor(undefined),
    caller: 'test',
  });
  expect(JSON.stringify(content)).toContain('answer 23.');
});
