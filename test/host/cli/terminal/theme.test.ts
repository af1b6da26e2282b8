import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHome } from '../../../kit/homes/home.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';

const blue = '\x1b[34mfilesystem';
const cyan = '\x1b[36mfilesystem';
const plain = /(?<!m)filesystem\.read/;

test('the theme of the home colours what commands write, NO_COLOR and COLORFGBG are respected', async () => {
  await using home = await createHome({ 'pegboard.yaml': 'theme: light\n' });
  const list = async (theme: string, env: { readonly [name: string]: string } = {}): Promise<string> => {
    await writeFile(join(home.path, 'pegboard.local.yaml'), `theme: ${theme}\n`);
    await using cli = startOnTerminal(['tools', 'filesystem'], { home: home.path, env });
    return (await cli.ended).stdout;
  };
  expect(await list('dark')).toContain(cyan);
  expect(await list('auto', { COLORFGBG: '0;default;15' })).toContain(blue);
  expect(await list('light', { NO_COLOR: '1' })).toMatch(plain);
  expect(await list('none')).not.toMatch(/\x1b\[\d+m/);
  expect(await list('gray')).toMatch(/pegboard\.local\.yaml:1:\d+.*(?:auto|light)/);
});

test('the prompt asks the terminal for its background, and loses no key that comes around the answer', async () => {
  await using home = await createHome();
  await using prompt = startOnTerminal([], { home: home.path });
  await prompt.waitFor(/›/);
  prompt.child.stdin.write('tools file\x1b]11;rgb:ffff/ffff/fdfd\x1b\\system');
  await prompt.waitFor(/› tools filesystem/);
  prompt.child.stdin.write(keys.enter);
  await prompt.waitFor(/filesystem\.write[^]*›/);
  prompt.child.stdin.write(keys.ctrlD);
  const { stdout } = await prompt.ended;
  expect(stdout).toContain('\x1b]11;?\x07');
  expect(stdout).toContain(blue);
  expect(stdout).not.toMatch(/11;rgb|ffff/);
});
