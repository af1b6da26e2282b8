import { expect, test } from 'vitest';
import { homeWithAnswers, serveRaw } from '../../../kit/mcp/verbatim.ts';

const meta = '"_meta":{"z":1.0,"big":12345678901234567890,"n":null}';
const schema =
  '{"type":"object","properties":{"x":{"type":"number","default":1.0,"maximum":12345678901234567890},"n":{"type":"string"}}}';
const questions = {
  form: `{"method":"elicitation/create","params":{"mode":"form","message":"Who?","requestedSchema":${schema},${meta}}}`,
  url: `{"method":"elicitation/create","params":{"mode":"url","message":"Go","elicitationId":"e","url":"https://x.example/a",${meta}}}`,
  sample: `{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":50,"temperature":1.0,"metadata":{"q":1.50,"big":12345678901234567890}}}`,
  roots: `{"method":"roots/list","params":{${meta}}}`,
};
const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** The server's question as the client gets it, and the answer as the server gets it. */
async function ask(
  tool: keyof typeof questions,
  answers: { readonly [method: string]: string },
): Promise<{ readonly asked: string; readonly answered: string }> {
  await using home = await homeWithAnswers(
    {
      'tools/list': JSON.stringify({ tools: [{ name: tool, inputSchema: { type: 'object' } }] }),
      'tools/call': { [tool]: `ask ${questions[tool]}` },
    },
    { config: { clientCapabilities: ['sampling', 'roots'] } },
  );
  await using client = await serveRaw(home, [], { capabilities, answers });
  const { result } = await client.request('tools/call', { name: `up__${tool}`, arguments: {} });
  return { asked: client.asked[0] ?? '', answered: result.content[0].text };
}

test('a form and its answer keep their numbers, their order and their _meta', async () => {
  const answer = `{"action":"accept","content":{"n":"Ada","x":2.0,"more":12345678901234567890},${meta}}`;
  const { asked, answered } = await ask('form', { 'elicitation/create': answer });
  expect(asked).toContain(`"requestedSchema":${schema}`);
  expect(asked).toContain(meta);
  expect(answered).toContain('"content":{"n":"Ada","x":2.0,"more":12345678901234567890}');
  expect(answered).toContain(meta);
});

test('a default that the person leaves goes to the server as it was written', async () => {
  const { answered } = await ask('form', {
    'elicitation/create': '{"action":"accept","content":{"n":"Ada"}}',
  });
  expect(answered).toContain('"content":{"n":"Ada","x":1.0}');
});

test('an address to open and a refusal keep their _meta', async () => {
  const { asked, answered } = await ask('url', { 'elicitation/create': `{"action":"decline",${meta}}` });
  expect(asked).toContain(meta);
  expect(answered).toContain(`{"action":"decline",${meta}}`);
});

test('a request for the client’s model and its answer pass as they are', async () => {
  const answer = `{"model":"m","role":"assistant","content":{"type":"text","text":"S"},"stopReason":"endTurn",${meta},"zz":1.0}`;
  const { asked, answered } = await ask('sample', { 'sampling/createMessage': answer });
  expect(asked).toContain(questions.sample.slice(1, -1));
  expect(answered).toContain(`"result":${answer}`);
});

test('roots pass as they are', async () => {
  const answer = `{"roots":[{"uri":"file:///r","name":"r",${meta}}],"more":1.0}`;
  const { asked, answered } = await ask('roots', { 'roots/list': answer });
  expect(asked).toContain(meta);
  expect(answered).toContain(`"result":${answer}`);
});

test('an error of the client keeps its code, message and data', async () => {
  const error = '{"code":4711,"message":"not now","data":{"a":1.0}}';
  const { answered } = await ask('roots', { 'roots/list': `error ${error}` });
  expect(answered).toContain(`"error":${error}`);
});

test('the _meta of a call reaches its server as it was written', async () => {
  await using home = await homeWithAnswers({
    'tools/list': JSON.stringify({ tools: [{ name: 'line', inputSchema: { type: 'object' } }] }),
  });
  await using client = await serveRaw(home);
  for (const params of [
    `{"name":"up__line","arguments":{"v":1.0},${meta}}`,
    `{"name":"up__line","arguments":{"v":1.0},"more":1,${meta}}`,
  ]) {
    const { result } = JSON.parse(await client.ask('tools/call', params)) as { readonly result: any };
    expect(result.content[0].text).toContain(meta.slice(0, -1));
  }
});
