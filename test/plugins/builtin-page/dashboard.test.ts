import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { processSurroundings } from '../../../host/core/platform/surroundings.ts';
import { userStateOf } from '../../../host/store/owner/user-state.ts';
import { pegboard, startPegboard, type RunningCli } from '../../kit/cli.ts';
import { createHome } from '../../kit/homes/home.ts';
import { sendRaw } from '../../kit/servers/raw-http.ts';

const dashboard = ['dashboard', '--no-open'];

/** The link that a running command prints. */
const linkOf = async (running: RunningCli): Promise<string> =>
  (await running.next(/http:\S+\s/)).match(/http:\S+/)![0];

/** Signs in with a printed link. */
async function signIn(link: string): Promise<number> {
  const url = new URL(link);
  const body = JSON.stringify({ code: url.hash.replace('#open=', '') });
  const headers = ['host', url.host, 'origin', url.origin, 'content-type', 'application/json'];
  return (await sendRaw(Number(url.port), { path: '/api/session', headers, body })).status;
}

test('dashboard prints a link, and another one for the same page while it runs', async () => {
  await using home = await createHome();
  await using running = startPegboard([...dashboard, '--port', '0'], { home: home.path });
  const link = await linkOf(running);
  expect(await signIn(link)).toBe(200);
  expect(await signIn(link)).toBe(401);
  const second = await pegboard(dashboard, { home: home.path });
  expect(second.code).toBe(0);
  expect(new URL(second.stdout).origin).toBe(new URL(link).origin);
  expect(await signIn(second.stdout.trim())).toBe(200);
  const noted = join(userStateOf(home.path, processSurroundings()), 'web/server.json');
  expect(existsSync(noted)).toBe(true);
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
  expect(existsSync(noted)).toBe(false);
});

test('the page of a host that was killed is not offered', async () => {
  await using home = await createHome();
  await using first = startPegboard([...dashboard, '--port', '0'], { home: home.path, apart: true });
  const link = await linkOf(first);
  first.child.kill('SIGKILL');
  await first.ended;
  await using second = startPegboard([...dashboard, '--port', '0'], { home: home.path });
  const other = await linkOf(second);
  expect(new URL(other).origin).not.toBe(new URL(link).origin);
  expect(await signIn(other)).toBe(200);
  // A link that was printed before the kill is as good as ever, within its minute.
  expect(await signIn(link.replace(new URL(link).origin, new URL(other).origin))).toBe(200);
});

test('start --http serves the page beside MCP, whose paths stay its own', async () => {
  await using home = await createHome();
  await using running = startPegboard(['start', '--http', '0'], { home: home.path });
  const url = new URL((await running.next(/http:\S+\/mcp/)).match(/http:\S+$/)![0]);
  const get = (path: string): ReturnType<typeof sendRaw> =>
    sendRaw(Number(url.port), { method: 'GET', path, headers: ['host', url.host] });
  expect(await get('/')).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
  expect((await get('/tools/core.read')).text).toContain('<div id="app">');
  for (const path of ['/mcp', '/mcp/work', '/authorize', '/.well-known/oauth-authorization-server', '/x'])
    expect(await get(path), path).toMatchObject({ status: 401 });
  const { stdout } = await pegboard(dashboard, { home: home.path });
  expect(new URL(stdout).host).toBe(url.host);
  expect(await signIn(stdout.trim())).toBe(200);
});

test('dashboard code prints a code, of which only a digest is kept', async () => {
  await using home = await createHome();
  const { stdout, code } = await pegboard(['dashboard', 'code'], { home: home.path });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}\n$/);
  const kept = readdirSync(join(userStateOf(home.path, processSurroundings()), 'web'));
  expect(kept).toEqual([expect.stringMatching(/^proof-[\da-f]{64}$/)]);
});

test.each([['x'], ['70000'], ['-1']])('the port %s is refused', async (port) => {
  await using home = await createHome();
  const { code, stderr } = await pegboard([...dashboard, `--port=${port}`], { home: home.path });
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--port takes a number'),
  });
});

test('the link is not among the arguments of the program that opens it', async () => {
  await using home = await createHome();
  // As on a desktop: notes what it was given, and keeps what a browser would read.
  const seen = join(home.path, 'seen');
  await home.write(
    'bin/xdg-open',
    `#!/bin/sh\nprintf '%s' "$*" > '${seen}.new' && mv '${seen}.new' '${seen}'\n`,
  );
  await chmod(join(home.path, 'bin/xdg-open'), 0o755);
  const env = { DISPLAY: ':9', PATH: `${join(home.path, 'bin')}:${process.env['PATH']}` };
  await using running = startPegboard(['dashboard', '--port', '0'], { home: home.path, env });
  const link = await linkOf(running);
  await expect.poll(() => existsSync(seen)).toBe(true);
  const given = await home.read('seen');
  const code = new URL(link).hash.replace('#open=', '');
  expect(given).toMatch(/^file:\/\/\S+\.html$/);
  expect(given).not.toContain(code);
  const file = fileURLToPath(given);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const html = readFileSync(file, 'utf8');
  expect(html).toContain(`content="0; url=${link}"`);
  expect(await signIn(link)).toBe(200);
});
