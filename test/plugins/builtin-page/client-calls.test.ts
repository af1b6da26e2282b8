import { expect, test } from 'vitest';
import { pegboard } from '../../kit/cli.ts';
import { servePage } from '../../kit/web/served-page.ts';

const write = (path: string, content: string) => ({
  body: { tool: 'filesystem.write', args: { path, content } },
});
const code = 'PROOF_NEEDED';

test('without a code, a tool changes nothing that decides what runs, and no other tool does it for it', async () => {
  await using page = await servePage({ 'spaces/work/agent/tools/hi.md': '' });
  for (const path of ['pegboard.local.yaml', 'spaces/work/agent/tools/new.md', 'plugins/x/plugin.yaml'])
    expect(await page.ask('call', write(path, 'confirm: never\n'))).toMatchObject({
      status: 403,
      body: { error: { code } },
    });
  const secret = { body: { tool: 'core.secret_store', args: { name: 'NEW', value: 'x' } } };
  expect(await page.ask('call', secret)).toMatchObject({ status: 403, body: { error: { code } } });
  const minting = { body: { tool: 'filesystem.bash', args: { command: 'pegboard dashboard code' } } };
  expect(await page.ask('call', minting)).toMatchObject({ status: 403, body: { error: { code } } });
  const within = { tool: 'filesystem.write', args: { path: 'pegboard.yaml', content: 'confirm: never\n' } };
  const through = {
    body: { tool: 'meta.execute_tool', args: { name: within.tool, arguments: within.args } },
  };
  expect(await page.ask('call', through)).toMatchObject({ status: 404 });
  expect(await page.home.read('pegboard.yaml')).toBe('');
  const { stdout } = await pegboard(['secret', 'list'], { home: page.home.path });
  expect(stdout).not.toContain('NEW');
});

test('without a code, a tool leaves nothing for later', async () => {
  await using page = await servePage();
  for (const [tool, args] of Object.entries({
    'core.schedule_create': { instruction: 'Tidy up', run_at: 'tomorrow' },
    'scheduler.remind': { message: 'Tea', run_at: 'tomorrow' },
    'watchers.watch_start': { tool: 'schedule_list', message: 'Changed' },
    'core.memory_store': { content: 'Tea is green' },
  })) {
    const asked = await page.ask('call', { body: { tool, args } });
    expect([tool, asked]).toMatchObject([tool, { status: 403, body: { error: { code } } }]);
  }
});

test('with a code, whoever has the page open is the owner', async () => {
  await using page = await servePage();
  expect(await page.ask('proof', { body: { code: page.code() } })).toMatchObject({ status: 200 });
  const written = await page.ask('call', write('pegboard.local.yaml', '# mine\n'));
  expect(written).toMatchObject({ status: 200, body: { ok: true } });
  expect(await page.home.read('pegboard.local.yaml')).toBe('# mine\n');
});

test('what changes nothing of that kind needs none', async () => {
  await using page = await servePage({ 'notes/a.txt': 'here' });
  const read = { body: { tool: 'filesystem.read', args: { path: 'notes/a.txt' } } };
  expect(await page.ask('call', read)).toMatchObject({ status: 200, body: { ok: true } });
});
