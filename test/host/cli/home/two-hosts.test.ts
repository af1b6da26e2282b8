import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pegboard, startPegboard } from '../../../kit/cli.ts';
import { createUnusedHome } from '../../../kit/homes/home.ts';
import { freePort } from '../../../kit/mcp/mcp-http.ts';

test('a second pegboard start on a home is refused and names the first, and a killed one blocks nobody', async () => {
  await using home = await createUnusedHome();
  const lock = join(home.path, 'data/host.lock');
  await using first = startPegboard(['start'], { home: home.path, apart: true });
  await first.waitFor(/running/);
  const today = new Date().toISOString().slice(0, 10);
  const second = await pegboard(['start'], { home: home.path, apart: true });
  expect(second.code).toBe(3);
  expect(second.stderr).toMatch(
    new RegExp(`in use by a host \\(process ${first.child.pid} on \\S+\\), since ${today} \\d\\d:\\d\\d UTC`),
  );
  expect(second.stderr).toContain(lock);
  first.child.kill('SIGKILL');
  await first.ended;
  expect(existsSync(lock)).toBe(true);
  await using third = startPegboard(['start'], { home: home.path, apart: true });
  await third.waitFor(/running/);
  third.child.kill('SIGTERM');
  expect(await third.ended).toMatchObject({ code: 0 });
  expect(existsSync(lock)).toBe(false);
});

test('a host that serves HTTP says in its lock where it can be asked whether it is well', async () => {
  await using home = await createUnusedHome();
  const port = await freePort();
  await using host = startPegboard(['start', '--http', String(port)], { home: home.path });
  await host.waitFor(/running/);
  const lock = async (): Promise<unknown> =>
    (JSON.parse(await home.read('data/host.lock')) as { readonly health?: string }).health;
  await expect.poll(lock).toBe(`http://127.0.0.1:${port}/healthz`);
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
});

test('of several that start at the same moment one runs', async () => {
  await using home = await createUnusedHome();
  await using hosts = new AsyncDisposableStack();
  const all = Array.from({ length: 4 }, () =>
    hosts.use(startPegboard(['start'], { home: home.path, apart: true })),
  );
  const running = all.map((host) =>
    host.waitFor(/running \d/).then(
      () => 'runs',
      () => 'refused',
    ),
  );
  expect(
    (
      await Promise.all(running.map((one, at) => Promise.race([one, all[at]!.ended.then(() => 'refused')])))
    ).toSorted(),
  ).toEqual(['refused', 'refused', 'refused', 'runs']);
});
