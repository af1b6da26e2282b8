import { expect, test } from 'vitest';
import { startScriptedModel } from '../../../../host/testing/index.ts';
import { pegboardJson } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';

test('each terminal keeps the conversation that it shows, whatever another one begins', async () => {
  await using model = await startScriptedModel(() => ({ text: 'Noted.' }));
  await using home = await createHome({});
  const env = {
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'test',
    PEGBOARD_MODEL: 'openai/scripted',
  };
  const open = (): ReturnType<typeof startOnTerminal> => startOnTerminal(['--new'], { home: home.path, env });
  const say = async (chat: ReturnType<typeof open>, text: string): Promise<void> => {
    chat.child.stdin.write(`${text}${keys.enter}`);
    await chat.next(/Noted\.[^]*›/);
  };
  await using one = open();
  await one.next(/›/);
  await say(one, 'first of one');
  await using other = open();
  await other.next(/›/);
  await say(other, 'first of other');
  await say(one, 'second of one');
  await say(other, 'second of other');
  one.child.stdin.write(`/new${keys.enter}`);
  await one.next(/›/);
  await say(one, 'third of one');
  await say(other, 'third of other');
  const { sessions } = await pegboardJson<{ sessions: { id: number; title: string; messages: number }[] }>(
    ['sessions'],
    { home: home.path, env },
  );
  expect(Object.fromEntries(sessions.map(({ title, messages }) => [title, messages]))).toEqual({
    'first of one': 4,
    'first of other': 6,
    'third of one': 2,
  });
});
