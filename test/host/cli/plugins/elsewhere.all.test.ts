import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHome } from '../../../kit/homes/home.ts';
import { startPluginRegistry } from '../../../kit/servers/plugin-registry.ts';
import { dice, runIn, six } from './dice.ts';

test('a package of npm, as its author packs it, is updated, and taken back when it fails', async () => {
  await using home = await createHome({ 'pegboard.yaml': 'plugins: { dice: { config: {} } }\n' });
  await using registry = await startPluginRegistry();
  const ran = join(home.path, 'ran');
  registry.publish(six(ran));
  const author = join(home.path, 'author');
  mkdirSync(author);
  for (const [name, text] of Object.entries(dice('1.0.0'))) writeFileSync(join(author, name), text);
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent'], { cwd: author });
  registry.publish(dice('1.0.0'), { tarball: readFileSync(join(author, 'pegboard-plugin-dice-1.0.0.tgz')) });
  const env = { npm_config_registry: registry.url };
  const run = runIn(home, env);

  expect(await run('plugins', 'add', 'npm:pegboard-plugin-dice', '--yes')).toMatchObject({ code: 0 });
  expect(await run('call', 'dice.roll')).toMatchObject({ code: 0, stdout: '1.0.0: 6\n' });
  const folder = join(home.path, 'plugins/dice');
  expect([ran, join(folder, 'ran')].filter((path) => existsSync(path))).toEqual([]);
  // An update replaces what somebody has changed.
  writeFileSync(join(folder, 'node_modules/six/index.js'), 'export default 7;\n');

  const secret = 'requires: { optional: [DICE_TOKEN] }\n';
  registry.publish(dice('1.1.0', { yaml: secret, json: { dependencies: {} }, code: 'const six = 66;' }));
  const updated = await run('plugins', 'update', 'dice', '--yes');
  expect(updated).toMatchObject({ code: 0, stdout: expect.stringContaining('1.0.0 → 1.1.0') as string });
  for (const shown of ['+ DICE_TOKEN', '- six 1.0.0', '+const six = 66;', '-import six'])
    expect(updated.stderr.replaceAll(/┃ ?/g, '')).toContain(shown);
  expect(await run('call', 'dice.roll')).toMatchObject({ stdout: '1.1.0: 66\n' });

  registry.publish(dice('1.2.0', { json: { dependencies: {} }, code: 'throw new Error("no luck");' }));
  const failed = await run('plugins', 'update', '--yes', '--json');
  expect({ code: failed.code, ...(JSON.parse(failed.stdout) as object) }).toMatchObject({
    code: 1,
    plugins: [{ id: 'dice', from: '1.1.0', to: '1.2.0', status: 'failed' }],
  });
  expect(failed.stderr).toContain('1.1.0 is back');
  expect(await run('call', 'dice.roll')).toMatchObject({ code: 0, stdout: '1.1.0: 66\n' });
});
