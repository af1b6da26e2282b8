import { symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { textOf } from '../../../../host/tools/result.ts';
import { pdfOf } from '../../../kit/data/pdf.ts';
import { openPluginHome } from '../../../kit/homes/plugin-home.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const numbered = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i}\n`).join('');

describe('text', () => {
  test('comes as it is, by relative and by absolute path', async () => {
    const text = 'Grüße\r\n\tsecond  \nno end';
    await using home = await openPluginHome({ files: { 'notes/a.txt': text } });
    for (const path of ['notes/a.txt', home.path('notes/a.txt'), './notes/../notes/a.txt']) {
      const result = await home.call('read', { path });
      expect(result.content).toEqual([{ type: 'text', text }]);
    }
  });

  test('ends after 2000 lines and says where to go on', async () => {
    await using home = await openPluginHome({ files: { 'long.txt': numbered(2100) } });
    const first = await home.call('read', { path: 'long.txt' });
    expect(first.content[0]).toMatchObject({ text: numbered(2000) });
    expect(first.content[1]).toMatchObject({ text: '[lines 1 to 2000 of 2100; go on with offset 2000]' });
    const second = await home.call('read', { path: 'long.txt', offset: 2000 });
    expect(textOf(second)).toMatch(/^line 2000\n[^]*line 2099\n\n\[lines 2001 to 2100, the end\]$/);
    const beyond = await home.call('read', { path: 'long.txt', offset: 5000 });
    expect(textOf(beyond)).toBe('[the file has 2100 lines: nothing at offset 5000]');
  });

  test('of long lines ends at a line rather than in the middle of the text', async () => {
    const line = `${'x'.repeat(999)}\n`;
    await using home = await openPluginHome({ files: { 'wide.txt': line.repeat(100) } });
    const result = await home.call('read', { path: 'wide.txt' });
    expect(result.content[0]).toMatchObject({ text: line.repeat(30) });
    expect(textOf(result)).toContain('go on with offset 30');
  });

  test('is whole for programs, where it is too long for models', async () => {
    const long = numbered(2100);
    await using home = await openPluginHome({ files: { 'long.txt': long, 'empty.txt': '' } });
    const path = home.path('long.txt');
    const all = { path, size: long.length, totalLines: 2100 };
    const structureOf = async (args: object) => (await home.call('read', args)).structured;
    expect(await structureOf({ path: 'long.txt' })).toEqual({
      ...all,
      content: long,
      offset: 0,
      lines: 2100,
    });
    expect(await structureOf({ path: 'long.txt', offset: 1, limit: 2 })).toEqual({
      ...all,
      content: 'line 1\nline 2\n',
      offset: 1,
      lines: 2,
    });
    expect(await structureOf({ path: 'empty.txt' })).toMatchObject({ content: '', lines: 0, totalLines: 0 });
  });

  test('of more than 4 million characters is cut for programs too, and says so', async () => {
    const line = `${'x'.repeat(999)}\n`;
    await using home = await openPluginHome({
      files: { 'lines.txt': line.repeat(4_100), 'line.txt': 'y'.repeat(4_100_000) },
    });
    const lines = await home.call('read', { path: 'lines.txt' });
    expect(lines.structured).toMatchObject({ lines: 4_000, totalLines: 4_100, truncated: true });
    const { content } = (await home.call('read', { path: 'line.txt' })).structured as { content: string };
    expect(content.length).toBeGreaterThan(3_999_000);
    expect(content.length).toBeLessThan(4_000_000);
  });

  test('in UTF-16 and in Latin-1 is decoded', async () => {
    await using home = await openPluginHome({
      files: {
        'u16.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Käse', 'utf16le')]),
        'latin.txt': Buffer.from('Käse', 'latin1'),
        'bom.txt': '\ufeffKäse',
      },
    });
    for (const path of ['u16.txt', 'latin.txt', 'bom.txt'])
      expect(textOf(await home.call('read', { path }))).toBe('Käse');
  });

  test('that is empty is reported as empty', async () => {
    await using home = await openPluginHome({ files: { 'empty.txt': '' } });
    expect(textOf(await home.call('read', { path: 'empty.txt' }))).toBe('[the file is empty]');
  });
});

describe('what is no text', () => {
  test('is shown when it is an image, whatever its name', async () => {
    await using home = await openPluginHome({ files: { 'dot.bin': png } });
    const result = await home.call('read', { path: 'dot.bin' });
    expect(result.content).toEqual([{ type: 'image', data: png.toString('base64'), mimeType: 'image/png' }]);
    const path = home.path('dot.bin');
    expect(result.structured).toEqual({ path, size: png.length, mimeType: 'image/png' });
  });

  test('is refused with the reason when it is binary, a folder, or too large', async () => {
    await using home = await openPluginHome({
      files: { 'a.bin': Buffer.from([1, 2, 0, 3]), 'sub/x': '' },
    });
    writeFileSync(home.path('huge.txt'), Buffer.alloc(50 * 1024 * 1024 + 1, 'a'));
    const messages = await Promise.all(
      ['a.bin', 'sub', 'huge.txt'].map(async (path) => (await home.call('read', { path })).error?.message),
    );
    expect(messages).toEqual([
      expect.stringMatching(/a\.bin is a binary file/),
      expect.stringMatching(/sub is a folder: use listdir/),
      expect.stringMatching(/huge\.txt has 52,428,801 bytes; files up to 50 MB/),
    ]);
  });

  test('that does not exist names its neighbours', async () => {
    await using home = await openPluginHome({ files: { 'Readme.md': '' } });
    const result = await home.call('read', { path: 'README.txt' });
    expect(result.error).toMatchObject({ code: 'PEG_TOOL_FAILED' });
    expect(result.error?.message).toBe(`${home.path('README.txt')} does not exist. Did you mean Readme.md?`);
  });
});

describe('a PDF', () => {
  const pages = ['First page\nof (two) lines', 'Second page'];
  const text = '[page 1]\nFirst page\nof (two) lines\n\n[page 2]\nSecond page';

  test('is read as text, page by page, whatever its name, and in parts', async () => {
    await using home = await openPluginHome({ files: { 'book.pdf': pdfOf(pages), noname: pdfOf(pages) } });
    for (const path of ['book.pdf', 'noname']) expect(textOf(await home.call('read', { path }))).toBe(text);
    const part = await home.call('read', { path: 'book.pdf', offset: 4, limit: 1 });
    expect(textOf(part)).toBe('[page 2]\n\n[lines 5 to 5 of 6; go on with offset 5]');
  });

  test('that is scanned, encrypted or broken is refused with the reason', async () => {
    await using home = await openPluginHome({
      files: {
        'scan.pdf': pdfOf(['', '']),
        'locked.pdf': pdfOf(pages, { encrypted: true }),
        'cut.pdf': '%PDF-1.7\n…',
      },
    });
    const messageOf = async (path: string) => (await home.call('read', { path })).error?.message;
    expect(await messageOf('scan.pdf')).toMatch(/scan\.pdf has no text on its 2 pages: it may be a scan/);
    expect(await messageOf('locked.pdf')).toMatch(/locked\.pdf is encrypted and opens only with a password/);
    expect(await messageOf('cut.pdf')).toMatch(/cut\.pdf is a broken PDF: \w/);
  });
});

describe('secrets', () => {
  test('are read only after a person agreed, also through a link', async () => {
    await using home = await openPluginHome({ files: { '.env': 'TOKEN=1' } });
    symlinkSync('.env', home.path('harmless.txt'));
    for (const path of ['.env', 'harmless.txt']) {
      const refused = await home.call('read', { path });
      expect(refused.error).toMatchObject({ code: 'PEG_NOBODY_TO_ASK', stage: 'confirm' });
      const agreed = await home.call('read', { path }, { ask: async () => ({ action: 'accept' }) });
      expect(textOf(agreed)).toBe('TOKEN=1');
    }
  });

  test('have examples that anybody may read', async () => {
    await using home = await openPluginHome({ files: { '.env.example': 'TOKEN=' } });
    expect(textOf(await home.call('read', { path: '.env.example' }))).toBe('TOKEN=');
  });

  test("are out of reach in Pegboard's own data", async () => {
    await using home = await openPluginHome({ files: { 'data/secrets.json': '{}' } });
    const result = await home.call('read', { path: 'data/secrets.json' });
    expect(result.error).toMatchObject({ code: 'PEG_DENIED', stage: 'prepare' });
  });
});
