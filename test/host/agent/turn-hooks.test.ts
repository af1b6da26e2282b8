import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openAgentHome } from '../../kit/homes/agent-home.ts';
import type { Script } from '../../../host/testing/index.ts';

const plugin = (id: string, turn: string) => ({
  [`plugins/${id}/plugin.yaml`]: `id: ${id}\nversion: "1.0.0"\ndescription: Test plugin ${id}\n`,
  [`plugins/${id}/index.ts`]: `import { appendFileSync } from 'node:fs';
export default {
  setup(context) {
    const log = (line) => appendFileSync(context.home + '/log', line + '\\n');
    return { turn: { ${turn} } };
  },
};`,
});
const echo: Script = (_request, index) => ({ text: `answer ${index}` });

test('plugins put memories before a message, and see the reply afterwards', async () => {
  const files = plugin(
    'memory',
    `async preTurn(turn) {
      return [{ title: 'Recent memories', lines: ['for ' + turn.message.text + ' of ' + turn.agent] }];
    },
    async postTurn(turn, reply) { log(turn.message.text + ' -> ' + reply.text); },`,
  );
  const home = await openAgentHome(echo, { files, development: true });
  await home.say('hello');
  expect(home.model.requests[0]!.messages.at(-1).content).toMatch(
    /\| cli \| development\]\n\n\[Recent memories\]\n- for hello of personal\n\nhello$/,
  );
  // Work after a reply has ended when the host has closed.
  await home.host[Symbol.asyncDispose]();
  expect(await readFile(join(home.home.path, 'log'), 'utf8')).toBe('hello -> answer 0\n');
  await home[Symbol.asyncDispose]();
});

test('a plugin may put a summary in the place of older messages', async () => {
  const files = plugin(
    'memory',
    `async history(turn) {
      return turn.message.text === 'third' ? { prefix: 'They said hello.', after: 2 } : undefined;
    },`,
  );
  await using home = await openAgentHome(echo, { files, development: true });
  for (const text of ['first', 'second', 'third']) await home.say(text);
  const { messages } = home.model.requests[2]!;
  expect(messages.slice(1, -1).map(({ content }: any) => content)).toEqual(['second', 'answer 1']);
  expect(messages.at(-1).content).toMatch(/\[Earlier in this conversation\]\nThey said hello\.\n\nthird$/);
});

test('a plugin may rewrite a message, or answer it in the place of a model', async () => {
  const files = {
    ...plugin('first', "async message({ text }) { return { text: text.replace('helo', 'hello') }; },"),
    ...plugin(
      'second',
      "async message({ text }) { return text === '/ping' ? { reply: 'pong' } : undefined; },",
    ),
  };
  await using home = await openAgentHome(echo, { files, development: true });
  await home.say('helo you');
  expect(home.model.requests[0]!.messages.at(-1).content).toMatch(/\n\nhello you$/);
  expect(await home.say('/ping')).toMatchObject({
    text: 'pong',
    toolCalls: [],
    usage: { input: 0, output: 0 },
  });
  await home.say('and?');
  expect(home.model.requests).toHaveLength(2);
  const said = home.model.requests[1]!.messages.slice(1, -1).map(({ content }: any) => content);
  expect(said).toEqual(['hello you', 'answer 0', '/ping', 'pong']);
});

test('hooks that fail are left out of the turn, and logged', async () => {
  const fails = "{ throw new Error('no memory today'); }";
  const files = {
    ...plugin(
      'bad',
      `message() ${fails}, async history() ${fails}, preTurn() ${fails}, postTurn() ${fails},`,
    ),
    ...plugin('good', "async preTurn() { return [{ title: 'Good', lines: ['yes'] }]; },"),
  };
  const home = await openAgentHome(echo, { files, development: true });
  const reply = await home.say('hello');
  expect(reply.text).toBe('answer 0');
  expect(home.model.requests[0]!.messages.at(-1).content).toContain('[Good]\n- yes');
  await home.host[Symbol.asyncDispose]();
  const log = await readFile(join(home.home.path, 'data/logs/host.log'), 'utf8');
  for (const hook of ['message', 'history', 'preTurn', 'postTurn'])
    expect(log).toContain(`the ${hook} hook of plugin bad was left out of a turn`);
  await home[Symbol.asyncDispose]();
});
