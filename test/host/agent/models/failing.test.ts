import { expect, test } from 'vitest';
import { withFallback } from '../../../../host/agent/models/fallback.ts';
import { withRetry } from '../../../../host/agent/models/retry.ts';
import { ask, modelAt, readFile, user } from '../../../kit/servers/scripted-model-client.ts';
import { startScriptedModel, type ScriptedReply } from '../../../../host/testing/index.ts';

const quick = { attempts: 4, firstDelayMs: 1, maxDelayMs: 2000 };
const failing = (status: number, retryAfter?: number): ScriptedReply => ({
  faults: { status, ...(retryAfter !== undefined && { retryAfter }) },
});

test('429, 500 and a broken stream are tried again, and what was heard of them is taken back', async () => {
  await using server = await startScriptedModel([
    failing(429),
    failing(500),
    { text: 'half an ans', toolCalls: [{ name: 'read_file', arguments: {} }], faults: { cutAfter: 3 } },
    { text: 'whole' },
  ]);
  const { reply, events, heard } = await ask(withRetry(modelAt(server.baseUrl), quick));
  expect(reply).toMatchObject({ text: 'whole', toolCalls: [] });
  expect(heard).toBe('whole');
  expect(events.filter(({ type }) => type === 'restart')).toHaveLength(3);
  expect(server.requests).toHaveLength(4);
});

test('it gives up after the last attempt with the last error', async () => {
  await using server = await startScriptedModel(() => failing(503));
  await expect(ask(withRetry(modelAt(server.baseUrl), quick))).rejects.toMatchObject({
    code: 'PEG_MODEL_UNAVAILABLE',
    data: { status: 503 },
  });
  expect(server.requests).toHaveLength(4);
});

test('Retry-After is waited for', async () => {
  await using server = await startScriptedModel([failing(429, 0.2), { text: 'ok' }]);
  const before = performance.now();
  await ask(withRetry(modelAt(server.baseUrl), quick));
  expect(performance.now() - before).toBeGreaterThanOrEqual(195);
});

test('a Retry-After beyond the longest wait is an answer: it is not waited for', async () => {
  await using server = await startScriptedModel([failing(429, 3600)]);
  await expect(ask(withRetry(modelAt(server.baseUrl), quick))).rejects.toMatchObject({
    data: { retryAfter: 3_600_000 },
  });
});

test('what would be refused again is not tried again', async () => {
  await using server = await startScriptedModel([failing(401)]);
  await expect(ask(withRetry(modelAt(server.baseUrl), quick))).rejects.toMatchObject({
    code: 'PEG_MODEL_REFUSED',
  });
  expect(server.requests).toHaveLength(1);
});

test('an abort ends the wait for the next try', async () => {
  await using server = await startScriptedModel([failing(429, 2)]);
  const abort = new AbortController();
  const asked = withRetry(modelAt(server.baseUrl), quick).respond(
    { messages: [user('hi')], tools: [readFile], signal: abort.signal },
    ({ type }) => type === 'restart' && abort.abort(),
  );
  await expect(asked).rejects.toMatchObject({ code: 'PEG_CANCELLED' });
});

test('a model that cannot answer, or whose key is refused, is followed by the next, which says that it answered', async () => {
  await using broken = await startScriptedModel([{ text: 'abc', faults: { cutAfter: 2 } }]);
  await using refusing = await startScriptedModel([], { apiKey: 'right' });
  await using working = await startScriptedModel([{ text: 'fine' }]);
  const model = withFallback([
    modelAt(broken.baseUrl, { id: 'a/one', contextWindow: 8000 }),
    modelAt(refusing.baseUrl, { id: 'b/two' }),
    modelAt(working.baseUrl, { id: 'c/three' }),
  ]);
  expect(model).toMatchObject({ id: 'a/one', contextWindow: 8000 });
  const { reply, heard, events } = await ask(model);
  expect(reply).toMatchObject({ text: 'fine', model: 'c/three' });
  expect(heard).toBe('fine');
  expect(events.filter(({ type }) => type === 'restart')).toHaveLength(2);
});

test('when all fail, each is named with its reason', async () => {
  await using server = await startScriptedModel([failing(500), failing(401)]);
  const model = withFallback([
    modelAt(server.baseUrl, { id: 'a/one' }),
    modelAt(server.baseUrl, { id: 'b/two' }),
  ]);
  await expect(ask(model)).rejects.toMatchObject({
    code: 'PEG_MODEL_UNAVAILABLE',
    message: expect.stringMatching(/a\/one: .*500[\s\S]*b\/two: .*401/),
  });
});

test('when all fail and the first found it too long, that is known: with less it may answer', async () => {
  await using server = await startScriptedModel([
    { faults: { status: 400, message: 'prompt is too long: 9000 tokens > 8000 maximum' } },
    failing(401),
  ]);
  const model = withFallback([
    modelAt(server.baseUrl, { id: 'a/one' }),
    modelAt(server.baseUrl, { id: 'b/two' }),
  ]);
  await expect(ask(model)).rejects.toMatchObject({ data: { model: 'a/one', tooLong: { limit: 8000 } } });
});
