import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { follow, startPegboard } from '../../kit/cli.ts';
import { createHome } from '../../kit/homes/home.ts';
import { freePort } from '../../kit/mcp/mcp-http.ts';
import { approve, register } from '../../kit/mcp/login-by-hand.ts';

const suite = dirname(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'),
);

test('the authorization server of pegboard serve passes every scenario', async () => {
  const [port, callback] = [await freePort(), await freePort()];
  const issuer = `http://localhost:${port}`;
  await using home = await createHome({
    'pegboard.yaml': `serve: { oauth: { publicUrl: '${issuer}' } }\n`,
  });
  await using server = startPegboard(['serve', '--http', String(port)], { home: home.path });
  const [, code = ''] = /code\s+(\S+)/.exec(await server.waitFor(/code\s+\S+[^]*stops/))!;

  const redirect = `http://127.0.0.1:${callback}/callback`;
  const { body: client } = await register(issuer, { redirect_uris: [redirect] });
  const options = ['--url', issuer, '--client-id', client.client_id, '--resource', `${issuer}/mcp`];
  const args = [join(suite, 'dist/index.js'), 'authorization', ...options, '-p', String(callback)];
  await using run = follow(spawn(process.execPath, args));
  const said = await run.waitFor(/Callback server started/);
  const [page = ''] = /http\S+\/oauth\/authorize\?\S+/.exec(said)!;
  expect((await fetch(await approve(new URL(page), code))).ok).toBe(true);

  const { code: exit, stdout } = await run.ended;
  expect(stdout).toMatch(/authorization-server-metadata-endpoint: \d+ passed, 0 failed/);
  expect(stdout).toMatch(/authorization-code-grant: \d+ passed, 0 failed/);
  expect(exit).toBe(0);
}, 120_000);
