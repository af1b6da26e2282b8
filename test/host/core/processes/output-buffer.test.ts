import { expect, test } from 'vitest';
import { createOutputBuffer } from '../../../../host/core/processes/output-buffer.ts';

function collect(
  maxBytes: number,
  chunks: Iterable<Buffer>,
): { readonly text: string; readonly omitted: number } {
  const buffer = createOutputBuffer(maxBytes);
  for (const chunk of chunks) buffer.push(chunk);
  return { text: buffer.text(), omitted: buffer.omitted };
}
const bytes = (text: string): Buffer[] => Array.from(Buffer.from(text), (byte) => Buffer.from([byte]));

test('all is kept up to the limit, however it comes', () => {
  const text = '0123456789'.repeat(10);
  expect(collect(100, [Buffer.from(text)])).toEqual({ text, omitted: 0 });
  expect(collect(100, bytes(text))).toEqual({ text, omitted: 0 });
  expect(collect(100, [])).toEqual({ text: '', omitted: 0 });
});

test('beyond the limit head and tail are kept, and a line says what is missing', () => {
  const text = 'a'.repeat(50) + 'b'.repeat(1_000) + 'c'.repeat(50);
  const expected = {
    text: `${'a'.repeat(50)}\n[… 1,000 bytes left out …]\n${'c'.repeat(50)}`,
    omitted: 1_000,
  };
  expect(collect(100, [Buffer.from(text)])).toEqual(expected);
  expect(collect(100, bytes(text))).toEqual(expected);
});

test('characters of several bytes are never cut in two', () => {
  for (const character of ['é', '漢', '\u{1f600}'])
    for (let limit = 20; limit < 32; limit++) {
      const { text } = collect(limit, bytes(character.repeat(500)));
      expect(text.replace(/\n.*\n/, '').replaceAll(character, '')).toBe('');
    }
});

test('characters that come in two chunks arrive whole', () => {
  const text = 'a漢b\u{1f600}c';
  expect(collect(100, bytes(text)).text).toBe(text);
});

test('memory stays bounded, also for a flood of single bytes', () => {
  const buffer = createOutputBuffer(200_000);
  const chunk = Buffer.from('x');
  const before = process.memoryUsage();
  for (let k = 0; k < 5_000_000; k++) buffer.push(chunk);
  const after = process.memoryUsage();
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(2_000_000);
  expect(buffer.omitted).toBe(4_800_000);
});
