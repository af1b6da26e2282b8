import { expect, test } from 'vitest';
import { listen } from '../../../../../../host/testing/http-server.ts';
import { privateFetch } from '../../../../../../host/sources/mcp/transport/http/private-fetch.ts';

const server = new URL('https://mcp.example/mcp');

test.each([
  'http://evil.example/token',
  'http://169.254.169.254/latest',
  'http://localhost.evil.example/token',
  'http://127.0.0.1:9200/',
  'http://localhost:9200/',
  'http://mcp.example/token',
  'file:///etc/passwd',
])('what has to do with a login is not sent to %s', async (target) => {
  await expect(privateFetch(server)(target)).rejects.toThrow('which is not encrypted');
});

test('a server of this machine is reached, and an answer without end is not read to its end', async () => {
  await using answering = await listen((request, response) => {
    if (request.url === '/short') return void response.end('{"ok":true}');
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
    };
    response.on('drain', write);
    write();
  });
  const fetch = privateFetch(new URL('http://localhost:1/mcp'));
  expect(await (await fetch(`${answering.url}/short`)).json()).toEqual({ ok: true });
  await expect(fetch(`${answering.url}/endless`)).rejects.toThrow('more than 1048576 bytes');
});
