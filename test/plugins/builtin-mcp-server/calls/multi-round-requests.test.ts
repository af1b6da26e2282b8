import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../../host/api/result.ts';
import { serveHttp, type HttpServer } from '../../../../plugins/builtin-mcp-server/http/http.ts';
import { suiteHost, type SuiteHost } from '../../../fixtures/mcp-server/suite-host.ts';
import { modernHeaders, post } from '../../../kit/mcp/mcp-wire.ts';

let host: SuiteHost;
let server: HttpServer;
beforeAll(async () => {
  host = await suiteHost();
  server = await serveHttp(host, { port: 0 });
});
afterAll(() => server.close());

interface Round {
  readonly to?: string;
  readonly requestState?: unknown;
  readonly inputResponses?: unknown;
  readonly capabilities?: JsonObject;
}

/** One request for `deploy`. */
async function deploy({
  to = 'here',
  capabilities = { elicitation: {} },
  ...rest
}: Round = {}): Promise<JsonObject> {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'deploy',
      arguments: { to },
      ...rest,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': capabilities,
      },
    },
  };
  return JSON.parse((await post(server, JSON.stringify(body), modernHeaders('deploy'))).text) as JsonObject;
}

interface Asked {
  readonly resultType: string;
  readonly requestState: string;
  readonly inputRequests: { readonly [name: string]: { readonly params: JsonObject } };
}

async function ask(round?: Round): Promise<Asked> {
  const { result } = (await deploy(round)) as unknown as { readonly result: Asked };
  expect(result.resultType).toBe('input_required');
  return result;
}

function accept({ inputRequests }: Asked): JsonObject {
  const answer = { action: 'accept', content: { answer: 'once' } };
  return Object.fromEntries(Object.keys(inputRequests).map((name) => [name, answer]));
}

const refused = { error: { code: -32602 } };

test('a call runs once, when its question was accepted', async () => {
  const before = host.deployed;
  const asked = await ask();
  expect(host.deployed).toBe(before);
  const { requestState } = asked;
  const answer = await deploy({ requestState, inputResponses: accept(asked) });
  expect(answer).toMatchObject({
    result: { resultType: 'complete', content: [{ text: `deployed to here, ${before + 1}` }] },
  });
});

test('an answer holds for what was shown: other arguments are refused', async () => {
  const before = host.deployed;
  const asked = await ask();
  const { requestState } = asked;
  expect(await deploy({ to: 'production', requestState, inputResponses: accept(asked) })).toMatchObject(
    refused,
  );
  expect(host.deployed).toBe(before);
});

test('an answer holds once: given again it is a question again', async () => {
  const asked = await ask();
  const round = { requestState: asked.requestState, inputResponses: accept(asked) };
  await deploy(round);
  const before = host.deployed;
  expect(await ask(round)).toMatchObject({ resultType: 'input_required' });
  expect(host.deployed).toBe(before);
});

test('of two answers that come at the same time one counts', async () => {
  const before = host.deployed;
  const asked = await ask();
  const round = { requestState: asked.requestState, inputResponses: accept(asked) };
  const answers = await Promise.all([deploy(round), deploy(round)]);
  expect(host.deployed).toBe(before + 1);
  expect(
    answers.filter(({ result }) => (result as Asked | undefined)?.resultType === 'complete'),
  ).toHaveLength(1);
});

test('a state that was made up or changed is refused', async () => {
  const asked = await ask();
  const [body, signature] = asked.requestState.split('.');
  const payload = JSON.parse(Buffer.from(body!, 'base64url').toString()) as JsonObject;
  const forged = Buffer.from(JSON.stringify({ ...payload, round: 2 })).toString('base64url');
  for (const requestState of ['made up', `${body}.`, `${forged}.${signature}`, `${asked.requestState}x`]) {
    expect(await deploy({ requestState, inputResponses: accept(asked) })).toMatchObject(refused);
  }
});

test('a confirmation cannot be answered before it was asked', async () => {
  const before = host.deployed;
  const asked = await ask();
  await ask({ inputResponses: accept(asked) });
  expect(host.deployed).toBe(before);
});

test('a missing or senseless answer is asked for again, in the next round', async () => {
  const before = host.deployed;
  const asked = await ask();
  const name = Object.keys(asked.inputRequests)[0]!;
  let state = asked.requestState;
  for (const response of [undefined, { action: 'perhaps' }, { wrong: true }]) {
    const again = await ask({ requestState: state, inputResponses: { [name]: response ?? {}, other: {} } });
    expect(Object.keys(again.inputRequests)).toEqual([name]);
    expect(again.requestState).not.toBe(state);
    state = again.requestState;
  }
  await deploy({ requestState: state, inputResponses: accept(asked) });
  expect(host.deployed).toBe(before + 1);
});

test('an older round’s state is refused', async () => {
  const asked = await ask();
  await ask({ requestState: asked.requestState, inputResponses: {} });
  expect(await deploy({ requestState: asked.requestState, inputResponses: accept(asked) })).toMatchObject(
    refused,
  );
});

test('a restart loses the question, not the caution: it is asked again', async () => {
  const asked = await ask();
  await server.close();
  host = await suiteHost();
  server = await serveHttp(host, { port: 0 });
  // Without a data folder, the key is new as well.
  expect(await deploy({ requestState: asked.requestState, inputResponses: accept(asked) })).toMatchObject(
    refused,
  );
  await ask();
  expect(host.deployed).toBe(0);
});

test('a client that cannot be asked is not asked', async () => {
  expect(await deploy({ capabilities: {} })).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining('nobody to ask') as string }] },
  });
  expect(await deploy({ capabilities: { elicitation: { url: {} } } })).toMatchObject({
    result: { isError: true },
  });
});

test('at most 256 calls wait for an answer; the oldest gives way', async () => {
  const first = await ask();
  for (let i = 0; i < 256; i++) await ask();
  const before = host.deployed;
  // An expired call asks again.
  await ask({ requestState: first.requestState, inputResponses: accept(first) });
  expect(host.deployed).toBe(before);
});
