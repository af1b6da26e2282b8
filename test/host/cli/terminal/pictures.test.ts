import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawPicture } from '../../../../host/cli/terminal/pictures/draw-picture.ts';
import { graphicsOf, type Graphics } from '../../../../host/cli/terminal/pictures/graphics.ts';
import { sizeOfPicture } from '../../../../host/cli/terminal/pictures/picture-size.ts';
import { startScriptedModel } from '../../../../host/testing/index.ts';
import { pegboard } from '../../../kit/cli.ts';
import { images } from '../../../kit/data/images.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';

const data = images['image/png'];
const png = Buffer.from(data, 'base64');

/** A terminal that shows pictures by kitty's protocol, whatever this test runs in. */
const kitty = {
  TERM_PROGRAM: undefined,
  LC_TERMINAL: undefined,
  TMUX: undefined,
  STY: undefined,
  KITTY_WINDOW_ID: '1',
};

test('a terminal is sent pictures only if it is known to show them', () => {
  expect(graphicsOf({ TERM: 'xterm-kitty' }, {})).toBe('kitty');
  expect(graphicsOf({ TERM: 'xterm-256color', KITTY_WINDOW_ID: '1' }, {})).toBe('kitty');
  expect(graphicsOf({ TERM: 'xterm-256color', TERM_PROGRAM: 'ghostty' }, {})).toBe('kitty');
  expect(graphicsOf({ TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' }, {})).toBe('iterm');
  expect(graphicsOf({ TERM: 'xterm-256color', LC_TERMINAL: 'iTerm2' }, {})).toBe('iterm');
  for (const environment of [
    {},
    { TERM: 'xterm-256color' },
    { TERM: 'alacritty', KITTY_WINDOW_ID: '1' },
    { TERM: 'xterm-256color', TERM_PROGRAM: 'vscode', KITTY_WINDOW_ID: '1' },
    { TERM: 'xterm-kitty', TMUX: '/tmp/tmux-0/default,1,0' },
    { TERM: 'screen-256color', LC_TERMINAL: 'iTerm2' },
    { TERM: 'xterm-kitty', STY: '1.pts-0' },
  ])
    expect(graphicsOf(environment, {})).toBeUndefined();
});

test('a picture has its own size where there is room, and is sent in pieces that kitty takes', async () => {
  const room = { columns: 40, rows: 10 };
  const large = Buffer.concat([png, Buffer.alloc(5_000)]);
  large.writeUInt32BE(1_000, 16);
  large.writeUInt32BE(100, 20);
  const draw = (bytes: Buffer, mimeType: string, graphics: Graphics): Promise<string | undefined> =>
    drawPicture({ bytes, mimeType }, graphics, room, {});
  const drawn = (await draw(large, 'image/png', 'kitty'))!;
  const pieces = [...drawn.matchAll(/\x1b_G([^;]*);([^\x1b]*)\x1b\\/g)];
  expect(pieces.map(([whole]) => whole).join('')).toBe(drawn);
  expect(pieces.map(([, head]) => head)).toEqual(['a=T,f=100,q=2,c=40,m=1', 'm=0']);
  expect(Buffer.from(pieces.map(([, , piece]) => piece).join(''), 'base64')).toEqual(large);
  large.writeUInt32BE(2_000, 20);
  expect(await draw(large, 'image/png', 'kitty')).toContain('c=10,');
  const jpeg = Buffer.from(images['image/jpeg'], 'base64');
  expect(await draw(jpeg, 'image/jpeg', 'iterm')).toBe(
    `\x1b]1337;File=inline=1;size=${jpeg.length};width=1;height=auto;preserveAspectRatio=1:${images['image/jpeg']}\x07`,
  );
  const gif = Buffer.from(images['image/gif'], 'base64');
  expect(await draw(gif, 'image/gif', 'kitty')).toBeUndefined();
  expect(sizeOfPicture(gif, 'image/gif')).toEqual({ width: 1, height: 1 });
});

test('a picture is shown in the chat, by call and when it was sent here, and kept; a pipe gets its path', async () => {
  await using model = await startScriptedModel([
    { text: '', toolCalls: [{ name: 'read', arguments: { path: 'dot.png' } }] },
    { text: 'A dot.' },
  ]);
  await using home = await createHome({});
  writeFileSync(join(home.path, 'dot.png'), png);
  const sent = `\x1b_Ga=T,f=100,q=2,c=1,m=0;${data}\x1b\\`;

  const { stdout } = await pegboard(['call', 'read', 'path=dot.png'], { home: home.path, env: kitty });
  const [, path] = /\[image\/png, 67 B: (\S+)\]\n$/.exec(stdout)!;
  expect(readFileSync(path!)).toEqual(png);
  expect(stdout).not.toContain('\x1b');

  await using call = startOnTerminal(['call', 'read', 'path=dot.png'], { home: home.path, env: kitty });
  const shown = (await call.ended).stdout;
  expect(shown).toContain(sent);
  expect(shown).toContain(`${path}\x1b\\${path}\x1b]8;;\x1b\\]`);

  const env = {
    ...kitty,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'test',
    PEGBOARD_MODEL: 'openai/scripted',
  };
  const { code } = await pegboard(
    ['call', 'channel_send', 'channel=terminal', 'chat=cli', 'file=dot.png', '--yes'],
    { home: home.path },
  );
  expect(code).toBe(0);
  await using chat = startOnTerminal([], { home: home.path, env });
  await chat.next(/67 B: \S+\]/);
  await chat.next(/›/);
  chat.child.stdin.write(`look${keys.enter}`);
  await chat.next(/A dot\.[^]*›/);
  chat.child.stdin.write(keys.ctrlD);
  const { stdout: all } = await chat.ended;
  expect(all.split(sent)).toHaveLength(3);
  expect(all).toMatch(/filesystem\.read[^]*\x1b_G[^]*A dot\./);
});
