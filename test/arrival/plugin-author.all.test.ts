import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { arrive } from './newcomer.ts';

test('a plugin author: a home, a plugin, its test, its types, and a change while it runs', async () => {
  await using newcomer = await arrive();
  await newcomer.install();
  const home = join(newcomer.folder, 'mine');
  {
    await using init = newcomer.type('pegboard init mine');
    await init.next(/Connect a model now/);
    init.child.stdin.write('n');
    await init.next(/cd mine && pegboard call greet/);
    expect((await init.ended).code).toBe(0);
  }
  const made = await newcomer.run(['new', 'plugin', 'dice'], home);
  expect(made, made.stderr).toMatchObject({ code: 0 });
  {
    await using allow = newcomer.type('pegboard approvals allow dice', home);
    await allow.next(/Yes/);
    allow.child.stdin.write('y');
    expect((await allow.ended).code).toBe(0);
  }
  const roll = (): Promise<unknown> => newcomer.run(['call', 'dice.greet', 'name=Ada'], home);
  expect(await roll()).toMatchObject({ code: 0, stdout: 'Hello, Ada!\n' });
  expect(await newcomer.run(['test-plugin', 'dice'], home)).toMatchObject({ code: 0 });

  await using dev = newcomer.type('exec pegboard dev', home);
  await dev.next(/running \d+ tools/);
  const file = join(home, 'plugins/dice/greet.ts');
  await writeFile(file, (await readFile(file, 'utf8')).replace('${name}!', '${name}, welcome!'));
  await dev.next(/dice running, generation 2/);
  // Commands run what was approved until the change is.
  expect(await roll()).toMatchObject({ code: 0, stdout: 'Hello, Ada!\n' });
  expect(await newcomer.run(['approvals', 'allow', 'dice', '--yes'], home)).toMatchObject({ code: 0 });
  expect(await roll()).toMatchObject({ code: 0, stdout: 'Hello, Ada, welcome!\n' });
});
