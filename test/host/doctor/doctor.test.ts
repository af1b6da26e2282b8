import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Check } from '../../../host/api/diagnostic.ts';
import { pegboard, pegboardJson } from '../../kit/cli.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';

const examine = async (home: string): Promise<readonly Check[]> =>
  (await pegboardJson<{ checks: readonly Check[] }>(['doctor'], { home })).checks;

test('a home with default settings is reported as such', async () => {
  await using home = await createHome();
  expect(await examine(home.path)).toContainEqual({
    name: 'trust',
    status: 'ok',
    message: 'nothing is allowed beyond the defaults',
  });
});

test('doctor says what is trusted and open, and how to tighten it', async () => {
  const config = {
    confirm: 'never',
    plugins: {
      'builtin-core': { config: { bash: { confirm: 'unknown' } } },
      'builtin-telegram': { config: { allow: 'everyone' } },
    },
    mcpServers: { everything: { command: 'node', args: ['-e', '0'], trust: true } },
  };
  await using home = await createHome({
    'pegboard.yaml': JSON.stringify(config),
    'plugins/dice/plugin.yaml': 'id: dice\nversion: "1.0.0"\ndescription: Dice\n',
    'plugins/dice/index.ts': 'export default { setup: () => ({}) };\n',
  });
  await pegboard(['secret', 'set', 'TOKEN'], { home: home.path, input: 'a-value' });
  await chmod(join(home.path, 'data/secrets/secrets.json'), 0o644);
  const checks = await examine(home.path);
  const found = checks.filter(({ status }) => status !== 'ok').map(({ name, fix }) => [name, fix]);
  expect(found).toEqual(
    expect.arrayContaining([
      ['confirm', 'confirm: manifest in pegboard.yaml'],
      ['confirm', 'plugins.builtin-core.config.bash.confirm: always in pegboard.yaml'],
      ['mcp everything', 'take trust out of mcpServers.everything in pegboard.yaml'],
      ['plugin dice', 'pegboard approvals allow dice'],
      ['data', 'nothing to do: only you can read it now'],
      ['telegram', 'plugins.builtin-telegram.config.allow: listed in pegboard.yaml'],
    ]),
  );
});

test('a variable that is not set is compared with those that are, wherever it is named', async () => {
  await using home = await createHome({
    '.mcp.json': JSON.stringify({
      mcpServers: { notes: { command: 'node', env: { KEY: '${WEATHR_KEY}' } } },
    }),
    'spaces/work/agent/tools/rain.md': manifest(
      'rain',
      'command: date\nenvironment: { KEY: "${WEATHER_KY}" }',
    ),
  });
  const at = { home: home.path };
  expect(await pegboard(['secret', 'set', 'WEATHER_KEY'], { ...at, input: 'w' })).toMatchObject({ code: 0 });
  const meant = 'Did you mean WEATHER_KEY?';
  expect(await examine(home.path)).toContainEqual(
    expect.objectContaining({ name: 'mcp notes', status: 'failed', fix: meant }),
  );
  expect((await pegboard(['call', 'rain'], at)).stderr).toContain(meant);
  await home.write('pegboard.yaml', 'serve: { token: "${WEATHERKEY}" }\n');
  expect((await pegboard(['tools'], at)).stderr).toContain(meant);
});
