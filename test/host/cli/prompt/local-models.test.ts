import { expect, test } from 'vitest';
import { pegboard, type RunningCli } from '../../../kit/cli.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';
import { startScriptedModel, type ScriptedModel } from '../../../../host/testing/index.ts';

const offer = /Ollama runs on this machine\. \/model ollama\/llama3\.2 lets it answer here/;
const ollama = (): Promise<ScriptedModel> =>
  startScriptedModel(() => ({ text: 'Hello from here.' }), {
    models: [{ id: 'nomic-embed-text' }, { id: 'llama3.2' }],
  });
const environment = ({ baseUrl }: ScriptedModel) => ({
  OLLAMA_HOST: new URL(baseUrl).host,
  OPENAI_API_KEY: undefined,
  OPENAI_BASE_URL: undefined,
  OPENROUTER_API_KEY: undefined,
  PEGBOARD_MODEL: undefined,
});
const prompt = (home: TestHome, model: ScriptedModel): RunningCli =>
  startOnTerminal([], { home: home.path, env: environment(model) });
const type = ({ child }: RunningCli, line: string): void => void child.stdin.write(`${line}${keys.enter}`);

test('an Ollama on this machine is offered, and once it is accepted it answers in later sessions too', async () => {
  await using model = await ollama();
  await using home = await createHome();
  {
    await using session = prompt(home, model);
    await session.waitFor(offer);
    expect(model.requests).toHaveLength(0);
    type(session, '/model ollama/llama3.2');
    await session.waitFor(/ollama\/llama3\.2 answers from now on/);
    type(session, 'hi');
    await session.waitFor(/Hello from here\./);
    type(session, '/quit');
    expect((await session.ended).code).toBe(0);
  }
  await using session = prompt(home, model);
  const greeting = await session.waitFor(/ollama\/llama3\.2[\s\S]*›/);
  type(session, 'hi again');
  expect(await session.waitFor(/Hello from here\./)).not.toMatch(offer);
  expect(greeting).not.toMatch(offer);
  const chat = await pegboard(['chat', 'hi'], { home: home.path, env: environment(model) });
  expect(chat).toMatchObject({ code: 0, stdout: 'Hello from here.\n' });
});

test('declined once, it is not offered again, and can still be connected', async () => {
  await using model = await ollama();
  await using home = await createHome();
  {
    await using session = prompt(home, model);
    await session.waitFor(/\/model no declines the offer for good/);
    type(session, '/model no');
    await session.waitFor(/Ollama will not be offered again\./);
    type(session, '/quit');
    await session.ended;
  }
  const asked = model.listings;
  await using session = prompt(home, model);
  await session.waitFor(/›/);
  // The servers are queried at startup, and again by this: earlier findings would have been shown before.
  type(session, '/model');
  const shown = await session.waitFor(/PEGBOARD_MODEL=ollama\/llama3\.2/);
  expect(model.listings).toBeGreaterThan(asked);
  expect(shown).not.toMatch(offer);
  type(session, '/model ollama/llama3.2');
  await session.waitFor(/answers from now on/);
});
