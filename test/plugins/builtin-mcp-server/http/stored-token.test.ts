import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processSurroundings } from '../../../../host/core/platform/surroundings.ts';
import { userStateOf } from '../../../../host/store/owner/user-state.ts';
import { startPegboard } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { callBody, post } from '../../../kit/mcp/mcp-wire.ts';
import { waitUntil } from '../../../kit/wait-until.ts';

test('the token of serve --http is the same after a restart, and readable for its owner alone', async () => {
  await using home = await createHome();
  const start = async (): Promise<string> => {
    await using running = startPegboard(['serve', '--http', '0'], { home: home.path });
    return /token\s+(\S+)/.exec(await running.waitFor(/token\s+\S+/))![1]!;
  };
  const first = await start();
  expect(await start()).toBe(first);
  const kept = join(userStateOf(home.path, processSurroundings()), 'serve-token');
  expect(await readFile(kept, 'utf8')).toBe(first);
  expect((await stat(kept)).mode & 0o777).toBe(0o600);
});

test('a home brings no token along: one in its folder is ignored', async () => {
  const brought = 'a-token-that-its-sender-knows';
  await using home = await createHome({
    'data/serve-token': brought,
    'data/mcp-server.key': 'ab'.repeat(32),
  });
  await using running = startPegboard(['serve', '--http', '0'], { home: home.path });
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(await running.waitFor(/token\s+\S+/))![1]);
  expect(await post({ port, token: brought }, callBody('echo', {}, 'modern'))).toMatchObject({ status: 401 });
});

test('a token that is changed while it serves holds from the next start on, as the log says', async () => {
  await using home = await createHome({ 'pegboard.yaml': 'serve: { token: the-first-token }\n' });
  await using running = startPegboard(['serve', '--http', '0'], { home: home.path });
  await running.waitFor(/serve\.token/);
  await home.write('pegboard.yaml', 'serve: { token: the-second-token }\n');
  const said = 'serve: of pegboard.yaml has changed, which holds from the next start on';
  await waitUntil(
    () => home.read('data/logs/host.log').catch(() => ''),
    (log) => log.includes(said),
  );
});
