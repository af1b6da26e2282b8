import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { Decoder } from 'sixel';
import { expect, test } from 'vitest';
import type { TerminalAnswers } from '../../../../host/cli/terminal/answers.ts';
import { drawPicture } from '../../../../host/cli/terminal/pictures/draw-picture.ts';
import { graphicsOf } from '../../../../host/cli/terminal/pictures/graphics.ts';
import { startScriptedModel } from '../../../../host/testing/index.ts';
import { chunk, images } from '../../../kit/data/images.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';

/** A terminal that nothing is known of, whatever this test runs in. */
const plain = {
  TERM_PROGRAM: undefined,
  LC_TERMINAL: undefined,
  KITTY_WINDOW_ID: undefined,
  KONSOLE_VERSION: undefined,
  TMUX: undefined,
  STY: undefined,
};

type Rgba = readonly [number, number, number, number];

const red: Rgba = [255, 0, 0, 255];
const blue: Rgba = [0, 0, 255, 255];
const clear: Rgba = [0, 0, 0, 0];
const half: Rgba = [0, 0, 0, 128];

/** Stripes of the same width from left to right. */
function stripes(width: number, height: number, colours: readonly Rgba[]): PNG {
  const png = new PNG({ width, height });
  for (let at = 0; at < width * height; at++)
    png.data.set(colours[Math.floor(((at % width) * colours.length) / width)]!, at * 4);
  return png;
}

/** What a terminal would show, by the decoder of the library. */
function decodeSixel(drawn: string): { readonly size: string; at(x: number, y: number): readonly number[] } {
  const [whole, body = ''] = /^\x1bP[\d;]*q([^\x1b]*)\x1b\\$/.exec(drawn) ?? [];
  expect(whole, 'one sequence').toBe(drawn);
  const decoder = new Decoder();
  decoder.init();
  decoder.decodeString(body);
  const { width, height, data8 } = decoder;
  return {
    size: `${width} x ${height}`,
    at: (x, y) => [...data8.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)],
  };
}

const room = { columns: 20, rows: 10 };
const drawSixel = (
  bytes: Buffer,
  mimeType = 'image/png',
  answers: TerminalAnswers = {},
): Promise<string | undefined> => drawPicture({ bytes, mimeType }, 'sixel', room, answers);

/** Sixel has a hundred shades of each colour. */
function expectColour(actual: readonly number[], expected: readonly number[], tolerance = 6): void {
  for (const [at, shade] of actual.entries())
    expect(Math.abs(shade - expected[at]!), `${actual.join()} for ${expected.join()}`).toBeLessThanOrEqual(
      tolerance,
    );
}

test('a picture in sixel has its own size and colours, and what is transparent the background', async () => {
  const png = PNG.sync.write(stripes(40, 14, [red, blue, clear, half]));
  const shown = decodeSixel((await drawSixel(png, 'image/png', { background: [0, 200, 0] }))!);
  expect(shown.size).toBe('40 x 14');
  for (const y of [0, 13]) {
    expectColour(shown.at(0, y), [255, 0, 0]);
    expectColour(shown.at(15, y), [0, 0, 255]);
    expectColour(shown.at(25, y), [0, 200, 0]);
    expectColour(shown.at(35, y), [0, 100, 0]);
  }
});

test('a picture that is larger than its room is made smaller in its proportions', async () => {
  const wide = PNG.sync.write(stripes(1000, 100, [red, blue]));
  const shown = decodeSixel((await drawSixel(wide))!);
  expect(shown.size).toBe('200 x 20');
  expectColour(shown.at(5, 10), [255, 0, 0]);
  expectColour(shown.at(190, 10), [0, 0, 255]);
  const inSmallCells = await drawSixel(wide, 'image/png', { cell: { width: 5, height: 10 } });
  expect(decodeSixel(inSmallCells!).size).toBe('100 x 10');
  const high = PNG.sync.write(stripes(10, 2000, [blue]));
  expect(decodeSixel((await drawSixel(high))!).size).toBe('1 x 200');
  // What was black and white stripes of one pixel is grey.
  const fine = new PNG({ width: 400, height: 4 });
  for (let at = 0; at < 1600; at++)
    fine.data.set(at % 2 === 0 ? [0, 0, 0, 255] : [255, 255, 255, 255], at * 4);
  expectColour(decodeSixel((await drawSixel(PNG.sync.write(fine)))!).at(50, 0), [128, 128, 128]);
});

test('a picture of more colours than sixel has is shown in similar ones', async () => {
  const png = new PNG({ width: 100, height: 40 });
  for (let y = 0; y < 40; y++)
    for (let x = 0; x < 100; x++)
      png.data.set(
        [Math.round(((99 - x) * (y + 1) * 255) / 4000), 0, Math.round((x * (y + 1) * 255) / 4000), 255],
        (y * 100 + x) * 4,
      );
  const shown = decodeSixel((await drawSixel(PNG.sync.write(png)))!);
  for (const [x, y] of [
    [2, 39],
    [50, 39],
    [97, 39],
    [2, 20],
    [97, 20],
  ] as const)
    expectColour(shown.at(x, y), [...png.data.subarray((y * 100 + x) * 4, (y * 100 + x) * 4 + 3)], 24);
});

test('a JPEG is decoded for sixel, and becomes a PNG for kitty', async () => {
  const { width, height, data } = stripes(64, 32, [red, blue]);
  const bytes = jpeg.encode({ width, height, data }, 95).data;
  const shown = decodeSixel((await drawSixel(bytes, 'image/jpeg'))!);
  expect(shown.size).toBe('64 x 32');
  expectColour(shown.at(4, 16), [254, 0, 0]);
  expectColour(shown.at(60, 16), [0, 0, 254]);
  const drawn = await drawPicture({ bytes, mimeType: 'image/jpeg' }, 'kitty', room, {});
  const png = PNG.sync.read(Buffer.from(/;([^\x1b;]*)\x1b\\$/.exec(drawn!)![1]!, 'base64'));
  expect([png.width, png.height]).toEqual([64, 32]);
  expectColour([...png.data.subarray(16 * 64 * 4, 16 * 64 * 4 + 3)], [254, 0, 0]);
});

/** A PNG with any size and data, whose checksums are right. */
function pngOf(width: number, height: number, data: Buffer, { interlaced = false } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, interlaced ? 1 : 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('a picture that is too large or broken is not shown, and nothing fails or hangs', async () => {
  const jpegBytes = Buffer.from(images['image/jpeg'], 'base64');
  const hugeJpeg = Buffer.from(jpegBytes);
  hugeJpeg.fill(0xff, hugeJpeg.indexOf('ffc9', 'hex') + 5, hugeJpeg.indexOf('ffc9', 'hex') + 9);
  const bomb = deflateSync(Buffer.alloc(200 * 1024 * 1024), { level: 1 });
  const pictures: readonly (readonly [mimeType: string, bytes: Buffer])[] = [
    ['image/png', pngOf(60_000, 60_000, deflateSync(Buffer.from([0, 0])))],
    ['image/png', pngOf(100, 100, deflateSync(Buffer.from([0, 0])))],
    ['image/png', pngOf(100, 100, Buffer.from([0x78, 0x9c, 1, 2, 3]))],
    ['image/png', pngOf(4, 4, bomb, { interlaced: true })],
    ['image/png', pngOf(0, 4, deflateSync(Buffer.from([0, 0])))],
    ['image/jpeg', hugeJpeg],
    ['image/jpeg', jpegBytes.subarray(0, 100)],
    ['image/gif', Buffer.from(images['image/gif'], 'base64')],
    ['image/webp', Buffer.from(images['image/webp'], 'base64')],
  ];
  for (const [at, [mimeType, bytes]] of pictures.entries())
    expect(await drawSixel(bytes, mimeType), `picture ${at}`).toBeUndefined();
  const interlaced = pngOf(1, 1, deflateSync(Buffer.from([0, 255])), { interlaced: true });
  expectColour(decodeSixel((await drawSixel(interlaced))!).at(0, 0), [255, 255, 255]);
});

test('sixel is sent to terminals that are known for it, and to those that say so', () => {
  for (const environment of [
    { TERM: 'foot' },
    { TERM: 'foot-extra' },
    { TERM: 'mlterm' },
    { TERM: 'contour' },
    { TERM: 'xterm-256color', KONSOLE_VERSION: '220400' },
  ]) {
    expect(graphicsOf(environment, {})).toBe('sixel');
    expect(graphicsOf(environment, { sixel: false })).toBeUndefined();
  }
  for (const environment of [
    { TERM: 'xterm-256color' },
    { TERM: 'xterm-256color', WT_SESSION: '1' },
    { TERM: 'xterm-256color', KONSOLE_VERSION: '210801' },
    { TERM: 'xterm-256color', TERM_PROGRAM: 'vscode', KONSOLE_VERSION: '220400' },
    { TERM: 'tmux-256color', TMUX: '/tmp/tmux-0/default,1,0', KONSOLE_VERSION: '220400' },
    { TERM: 'footage' },
  ]) {
    expect(graphicsOf(environment, {})).toBeUndefined();
    expect(graphicsOf(environment, { sixel: true })).toBe('sixel');
  }
  expect(graphicsOf({ TERM: 'xterm-kitty' }, { sixel: true })).toBe('kitty');
  expect(graphicsOf({ TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm' }, { sixel: true })).toBe('iterm');
});

test('the prompt asks the terminal, and shows pictures in sixel once it has said that it can', async () => {
  await using home = await createHome();
  // Wider than 80 columns of 10 pixels, narrower than of 20.
  writeFileSync(join(home.path, 'wide.png'), PNG.sync.write(stripes(900, 60, [red, clear])));
  await using prompt = startOnTerminal([], { home: home.path, env: plain });
  await prompt.waitFor(/›/);
  prompt.child.stdin.write('call re\x1b]11;rgb:0000/ffff/0000\x07ad pa\x1b[?62;2');
  await prompt.waitFor(/› call read pa/);
  prompt.child.stdin.write('2;4c\x1b[6;40;20tth=wide.png');
  await prompt.waitFor(/› call read path=wide\.png/);
  prompt.child.stdin.write(keys.enter);
  await prompt.waitFor(/\[image\/png, [^\n]*\][^]*›/);
  prompt.child.stdin.write(keys.ctrlD);
  const { stdout } = await prompt.ended;
  expect(stdout).toContain('\x1b[c');
  expect(stdout).not.toMatch(/62;2|;4c|6;40|20t|11;rgb/);
  const [drawn] = /\x1bP[^\x1b]*\x1b\\/.exec(stdout)!;
  const shown = decodeSixel(drawn.replaceAll('\r', ''));
  expect(shown.size).toBe('900 x 60');
  expectColour(shown.at(10, 30), [255, 0, 0]);
  expectColour(shown.at(890, 30), [0, 255, 0]);
});

test('in the chat a picture comes before what the model says about it', async () => {
  await using model = await startScriptedModel([
    { text: '', toolCalls: [{ name: 'read', arguments: { path: 'red.png' } }] },
    { text: 'All red.' },
  ]);
  await using home = await createHome();
  writeFileSync(join(home.path, 'red.png'), PNG.sync.write(stripes(900, 900, [red])));
  const env = {
    ...plain,
    KONSOLE_VERSION: '240801',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'test',
    PEGBOARD_MODEL: 'openai/scripted',
  };
  await using chat = startOnTerminal(['chat', 'What is it?'], { home: home.path, env });
  const { stdout } = await chat.ended;
  expect(stdout).toMatch(/filesystem\.read[^]*\x1bP[^\x1b]*\x1b\\[^]*image\/png[^]*All red\./);
});

test('a terminal that answers nothing, or that it has no sixel, is shown the path alone', async () => {
  await using home = await createHome();
  writeFileSync(join(home.path, 'red.png'), PNG.sync.write(stripes(8, 8, [red])));
  for (const answer of ['', '\x1b[?1;2c', '\x1b[?4c']) {
    await using prompt = startOnTerminal([], { home: home.path, env: plain });
    await prompt.waitFor(/›/);
    prompt.child.stdin.write(`${answer}call read path=red.png${keys.enter}`);
    await prompt.waitFor(/\[image\/png, [^\n]*\][^]*›/);
    prompt.child.stdin.write(keys.ctrlD);
    const { stdout } = await prompt.ended;
    expect(stdout).toContain(' call read path=red.png');
    expect(stdout).not.toContain('\x1bP');
  }
});
