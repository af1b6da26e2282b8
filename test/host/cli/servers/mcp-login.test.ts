import { expect, test } from 'vitest';
import { startPegboard, type RunningCli } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { startOAuthServer, type OAuthServerOptions } from '../../../kit/mcp/mcp-oauth-server.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';

async function protectedHome(options: OAuthServerOptions = {}) {
  const server = await startOAuthServer(options);
  const home = await createHome({
    'pegboard.yaml': `mcpServers: { private: { url: '${server.url}/mcp' } }\n`,
  });
  return {
    server,
    home: home.path,
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The address at which a browser on another machine ends, and which it can't open. */
async function signInElsewhere(login: RunningCli): Promise<URL> {
  const output = await login.next(/(http:\S+\/authorize\S+)\s/);
  const [page] = /http:\S+\/authorize\S+/.exec(output)!;
  const response = await fetch(page, { redirect: 'manual' });
  return new URL(response.headers.get('location')!);
}

function withState(address: URL, state: string): URL {
  const changed = new URL(address);
  changed.searchParams.set('state', state);
  return changed;
}

test('the address that a browser elsewhere ended at is pasted; a wrong one is explained and asked for again', async () => {
  await using at = await protectedHome();
  await using login = startOnTerminal(['mcp', 'login', 'private'], { home: at.home });
  const address = await signInElsewhere(login);
  const paste = async (text: string, answer: RegExp): Promise<void> => {
    await login.next(/paste that page's address/);
    login.child.stdin.write(`${text}${keys.enter}`);
    await login.next(answer);
  };
  await paste('what?', /not an address/);
  await paste(`${at.server.url}/authorize?code=x`, /not the return address of this login/);
  await paste(withState(address, 'old').href, /belongs to another login/);
  await paste(address.href.replace('code=', 'cod='), /no code/);
  await paste(address.href, /signed in: private offers 1 tool/);
  expect((await login.ended).code).toBe(0);
});

test('without a terminal the address comes as a line', async () => {
  await using at = await protectedHome();
  await using login = startPegboard(['mcp', 'login', 'private'], { home: at.home });
  const address = await signInElsewhere(login);
  login.child.stdin.write(`${withState(address, 'old').href}\n${address.href}\n`);
  const { code, stdout, stderr } = await login.ended;
  expect(stderr).toContain('belongs to another login');
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'signed in: private offers 1 tool\n' });
});

test('a browser on this machine needs nothing pasted, whether stdin is open or at its end', async () => {
  await using at = await protectedHome();
  for (const ends of [true, false]) {
    await using login = startPegboard(['mcp', 'login', 'private'], { home: at.home });
    if (ends) login.child.stdin.end();
    await fetch(await signInElsewhere(login));
    expect((await login.ended).code).toBe(0);
  }
});

test('a login that is refused elsewhere, or cancelled, ends with the reason', async () => {
  await using at = await protectedHome();
  await using cancelled = startOnTerminal(['mcp', 'login', 'private'], { home: at.home });
  await cancelled.next(/paste that page's address/);
  cancelled.child.stdin.write(keys.ctrlC);
  await cancelled.next(/You are not logged in/);
  expect((await cancelled.ended).code).toBe(1);

  at.server.denyLogins();
  await using refused = startPegboard(['mcp', 'login', 'private'], { home: at.home });
  refused.child.stdin.write(`${(await signInElsewhere(refused)).href}\n`);
  const { code, stderr } = await refused.ended;
  expect(code).toBe(1);
  expect(stderr).toContain('the authorization server refused (access_denied)');
});

test('a client of a running host gets the tools after a login in another process', async () => {
  await using at = await protectedHome();
  await using serving = startPegboard(['serve'], { home: at.home });
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const lines = [{ id: 1, method: 'initialize', params }, { method: 'notifications/initialized' }];
  for (const line of lines) serving.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`);
  await expect.poll(() => at.server.requests.get('/mcp')).toBeGreaterThan(0);
  await using login = startPegboard(['mcp', 'login', 'private'], { home: at.home });
  await fetch(await signInElsewhere(login));
  await serving.waitFor(/tools\/list_changed/);
});

test('a server without a login is reported as such, and nobody is signed in', async () => {
  await using at = await protectedHome({ guards: () => false });
  await using login = startPegboard(['mcp', 'login', 'private'], { home: at.home });
  const { code, stdout, stderr } = await login.ended;
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('accepts requests without a login');
});

test('permissions that were not granted are named', async () => {
  await using at = await protectedHome();
  at.server.withhold('tools');
  await using login = startPegboard(['mcp', 'login', 'private'], { home: at.home });
  await fetch(await signInElsewhere(login));
  const { stderr } = await login.ended;
  expect(stderr).toContain('not granted: tools');
});
