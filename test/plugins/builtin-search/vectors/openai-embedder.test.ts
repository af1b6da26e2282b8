import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { createOpenAiEmbedder } from '../../../../plugins/builtin-search/vectors/openai-embedder.ts';
import type { PostLimits } from '../../../../host/core/http/post-retrying.ts';
import { listen } from '../../../../host/testing/http-server.ts';

interface Asked {
  readonly model: string;
  readonly input: readonly string[];
}
type Answer = (asked: Asked, response: ServerResponse) => void;

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server[Symbol.asyncDispose]();
});

/** Answers each request with the next of `answers`, and all further ones with the last. */
async function endpoint(...answers: readonly Answer[]) {
  const requests: { readonly path: string; readonly key: string | undefined; readonly asked: Asked }[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = (await json(request)) as Asked;
    const answer = answers[Math.min(requests.length, answers.length - 1)]!;
    requests.push({ path: request.url!, key: request.headers.authorization, asked });
    answer(asked, response);
  };
  const server = await listen((request, response) => void handle(request, response));
  opened.push(server);
  const baseUrl = `${server.url}/v1/`;
  const embedder = (limits: Partial<PostLimits> = {}) =>
    createOpenAiEmbedder({ model: 'small', baseUrl, apiKey: 'k' }, { firstDelayMs: 1, ...limits });
  return { requests, embedder };
}

/** A text's length, as its vector; in another order than asked. */
const lengths: Answer = ({ input }, response) => {
  const data = input.map((text, index) => ({ index, embedding: [text.length, 1] }));
  response.end(JSON.stringify({ data: data.toReversed() }));
};
const fail =
  (status: number, message: string, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, headers).end(JSON.stringify({ error: { message } }));
const say =
  (body: string): Answer =>
  (_, response) =>
    response.end(body);

test('texts become vectors in their order, a hundred a request', async () => {
  const { embedder, requests } = await endpoint(lengths);
  const texts = Array.from({ length: 230 }, (_, at) => 'x'.repeat(at + 1));
  const vectors = await embedder().embed(texts);
  expect(vectors.map(([length]) => length)).toEqual(texts.map(({ length }) => length));
  expect(requests.map(({ asked }) => asked.input.length)).toEqual([100, 100, 30]);
  expect(requests[0]).toMatchObject({ path: '/v1/embeddings', key: 'Bearer k', asked: { model: 'small' } });
});

test('vectors that come as base64 are understood too', async () => {
  const base64 = Buffer.from(Float32Array.from([0.5, 2]).buffer).toString('base64');
  const { embedder } = await endpoint(say(JSON.stringify({ data: [{ embedding: base64 }] })));
  expect(await embedder().embed(['a'])).toEqual([Float32Array.from([0.5, 2])]);
});

test.each([429, 500, 503])('%i is tried again', async (status) => {
  const { embedder, requests } = await endpoint(fail(status, 'busy'), fail(status, 'busy'), lengths);
  expect(await embedder().embed(['abc'])).toEqual([Float32Array.from([3, 1])]);
  expect(requests).toHaveLength(3);
});

test('a server that says when to come back is waited for that long', async () => {
  const { embedder } = await endpoint(fail(429, 'slow down', { 'retry-after': '1' }), lengths);
  const start = performance.now();
  await embedder().embed(['a']);
  expect(performance.now() - start).toBeGreaterThanOrEqual(990);
});

test('a server that wants to be left alone for longer than anybody waits is not waited for', async () => {
  const { embedder } = await endpoint(fail(429, 'come back tomorrow', { 'retry-after': '86400' }));
  await expect(embedder().embed(['a'])).rejects.toMatchObject({
    code: 'PEG_MODEL_UNAVAILABLE',
    message: expect.stringContaining('429 come back tomorrow'),
  });
});

test('a wrong key or model is reported at once, with what to check', async () => {
  const { embedder, requests } = await endpoint(fail(401, 'Incorrect API key'));
  await expect(embedder().embed(['a'])).rejects.toMatchObject({
    code: 'PEG_MODEL_REFUSED',
    message: expect.stringMatching(/401 Incorrect API key.*EMBEDDING_MODEL/),
  });
  expect(requests).toHaveLength(1);
});

test.each([
  ['{"data":[]}', 'none'],
  ['<html>', 'no JSON'],
  ['{"data":[{"embedding":[1]},{"embedding":[1,2]}]}', 'lengths that differ'],
  ['{"data":[{"embedding":["x"]},{"embedding":[1]}]}', 'no numbers'],
])('an answer with %s is no answer: %s', async (body) => {
  const { embedder } = await endpoint(say(body));
  await expect(embedder().embed(['a', 'b'])).rejects.toThrow('does not contain 2 embeddings');
});

test('nobody there: the error says where nobody was', async () => {
  const { embedder } = await endpoint((_, response) => response.destroy());
  await expect(embedder({ attempts: 2 }).embed(['a'])).rejects.toMatchObject({
    code: 'PEG_MODEL_UNAVAILABLE',
    message: expect.stringContaining('/v1/embeddings (model small)'),
  });
});

test('a server that does not answer is given up, and a caller that does not want to wait is let go', async () => {
  const { embedder } = await endpoint(() => {});
  await expect(embedder({ timeoutMs: 50, attempts: 1 }).embed(['a'])).rejects.toMatchObject({
    code: 'PEG_MODEL_UNAVAILABLE',
  });
  await expect(embedder().embed(['a'], AbortSignal.timeout(50))).rejects.toMatchObject({
    code: 'PEG_CANCELLED',
  });
});
