import { expect, test } from 'vitest';
import { textOf } from '../../../../../host/tools/result.ts';
import { listen } from '../../../../../host/testing/http-server.ts';
import { freePort, startEverything } from '../../../../kit/mcp/mcp-http.ts';
import { caller, createMcpLab } from '../../../../kit/mcp/mcp-source.ts';

test('server-everything over Streamable HTTP: calls, progress and questions', async () => {
  await using server = await startEverything('streamableHttp');
  await using lab = await createMcpLab();
  const source = lab.open('everything', { url: `http://127.0.0.1:${server.port}/mcp` });
  await source.connect();
  expect(source.status()).toMatchObject({ state: 'ready', transport: 'http', era: 'legacy' });
  expect(textOf(await source.callTool('echo', { message: 'hi' }, caller()))).toBe('Echo: hi');
  const ada = caller({ answer: { action: 'accept', content: { name: 'Ada' } } });
  await source.callTool('trigger-long-running-operation', { duration: 0.2, steps: 2 }, ada);
  expect(ada.steps.map(({ progress }) => progress)).toEqual([1, 2]);
  const answer = await source.callTool('trigger-elicitation-request', {}, ada);
  expect(textOf(answer)).toContain('Ada');
});

test('a session that the server has forgotten is reopened during the call', async () => {
  await using lab = await createMcpLab();
  const port = await freePort();
  const source = lab.open('everything', { url: `http://127.0.0.1:${port}/mcp` });
  {
    await using server = await startEverything('streamableHttp', port);
    await source.connect();
    expect(server.port).toBe(port);
  }
  await using again = await startEverything('streamableHttp', port);
  expect(textOf(await source.callTool('echo', { message: 'hi' }, caller()))).toBe('Echo: hi');
  expect(again.port).toBe(port);
});

test('an older server that only knows SSE is found out, and remembered', async () => {
  await using server = await startEverything('sse');
  await using lab = await createMcpLab();
  const open = () => lab.open('everything', { url: `http://127.0.0.1:${server.port}/sse` });
  const first = open();
  await first.connect();
  expect(first.status()).toMatchObject({ state: 'ready', transport: 'sse' });
  const steps = caller();
  await first.callTool('trigger-long-running-operation', { duration: 0.2, steps: 2 }, steps);
  expect(steps.steps).toHaveLength(2);
  await first[Symbol.asyncDispose]!();
  const tried = lab.log.filter(({ message }) => message.includes('trying the older SSE transport'));
  expect(tried).toHaveLength(1);

  const second = open();
  expect(textOf(await second.callTool('echo', { message: 'hi' }, caller()))).toBe('Echo: hi');
  expect(lab.log.filter(({ message }) => message.includes('trying the older SSE transport'))).toEqual(tried);
});

test('an SSE server that goes away is noticed, and connected to again when it is back', async () => {
  await using lab = await createMcpLab();
  const port = await freePort();
  const source = lab.open('everything', { url: `http://127.0.0.1:${port}/sse`, type: 'sse' });
  {
    await using server = await startEverything('sse', port);
    await source.connect();
    expect(server.port).toBe(port);
  }
  await expect(source.callTool('echo', { message: 'hi' }, caller())).rejects.toMatchObject({
    code: 'PEG_SERVER_UNAVAILABLE',
  });
  await using again = await startEverything('sse', port);
  expect(again.port).toBe(port);
  // On a busy machine it was tried in vain so often that it rests for half a minute.
  const echo = (): Promise<string> =>
    source.callTool('echo', { message: 'hi' }, caller()).then(textOf, () => 'not there yet');
  await expect.poll(echo).toBe('Echo: hi');
});

test('a server that nobody listens for is unavailable at once, with the reason', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('gone', { url: `http://127.0.0.1:${await freePort()}/mcp` });
  await expect(source.connect()).rejects.toThrow(/"gone" is not available: .*ECONNREFUSED/);
});

test('a server that takes connections and never answers is given up in time', async () => {
  await using hanging = await listen(() => {});
  await using lab = await createMcpLab();
  const source = lab.open('hanging', { url: `${hanging.url}/mcp`, connectTimeout: 0.5 });
  await expect(source.connect()).rejects.toThrow(
    '"hanging" is not available: it did not answer within 0.5 s.',
  );
});

test('an error page of something that is no MCP server is reported without its markup', async () => {
  await using broken = await listen((_, response) => response.writeHead(500).end('\u001B[31mout of order'));
  await using lab = await createMcpLab();
  const source = lab.open('broken', { url: `${broken.url}/mcp` });
  await expect(source.connect()).rejects.toThrow('MCP server "broken" answered with HTTP 500: out of order');
});

test('headers are filled in from the environment, and their values are secrets from then on', async () => {
  const seen: (string | undefined)[] = [];
  await using server = await listen((request, response) => {
    seen.push(request.headers['x-key'] as string | undefined);
    response.writeHead(500).end();
  });
  await using lab = await createMcpLab();
  const config = { url: `\${BASE}/mcp`, headers: { 'X-Key': 'key ${API_KEY}' } };
  const source = lab.open('keyed', config, { BASE: server.url, API_KEY: 'sesame-open-up' });
  await source.connect().catch(() => {});
  expect(seen[0]).toBe('key sesame-open-up');
  expect(lab.redact('it said sesame-open-up')).toBe('it said [secret API_KEY]');
});

test('a variable that is not set makes its server unavailable, naming server, key and variable', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('keyed', { url: 'http://127.0.0.1:1/', headers: { 'X-Key': '${API_KEY}' } });
  await expect(source.connect()).rejects.toMatchObject({
    code: 'PEG_MISSING_VARIABLE',
    message: expect.stringContaining(
      'MCP server "keyed": headers.X-Key needs ${API_KEY}, which is not set.',
    ) as string,
  });
  expect((await source.list()).diagnostics).toMatchObject([
    { code: 'peg-missing-variable', severity: 'error' },
  ]);
});

test('a refused token of the configuration is reported as such', async () => {
  await using server = await listen((_, response) => response.writeHead(401).end());
  await using lab = await createMcpLab();
  const source = lab.open('keyed', { url: server.url, headers: { Authorization: 'Bearer wrong' } });
  await expect(source.connect()).rejects.toMatchObject({ code: 'PEG_SERVER_UNAUTHORIZED' });
  await expect(source.login(() => {})).rejects.toMatchObject({ code: 'PEG_USAGE' });
});
