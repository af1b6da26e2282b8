import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPdf } from '../../../../host/core/pdf/pdf.ts';
import { pdfOf } from '../../../kit/data/pdf.ts';
import { waitUntil } from '../../../kit/wait-until.ts';

/** A few kilobytes that draw forever. */
function bomb(): Buffer {
  const drawing = deflateSync(`BT /F1 1 Tf ${'(a) Tj '.repeat(8_000_000)} ET`);
  const [head, tail] = pdfOf(['x']).split(/<< \/Length[^]*?endstream/) as [string, string];
  const stream = `<< /Length ${drawing.length} /Filter /FlateDecode >>\nstream\n`;
  return Buffer.concat([Buffer.from(head + stream), drawing, Buffer.from(`\nendstream${tail}`)]);
}

test('a PDF that was crafted to take forever is given up in time, and on abort', async () => {
  const bytes = bomb();
  const options = { name: 'bomb.pdf', signal: new AbortController().signal };
  const ends: Promise<unknown>[] = [];
  const note = (thread: Worker): void => void ends.push(once(thread, 'exit'));
  process.on('worker', note);
  await expect(readPdf(bytes, { ...options, timeoutMs: 700 })).rejects.toMatchObject({
    code: 'PEG_TOOL_FAILED',
    message: "bomb.pdf can't be turned into text: it took longer than 0.7 s.",
  });
  const leaving = new AbortController();
  const reading = readPdf(bytes, { ...options, signal: leaving.signal });
  leaving.abort(new Error('left'));
  await expect(reading).rejects.toThrow('left');
  // Neither thread goes on.
  await waitUntil(() => ends.length === 2);
  process.off('worker', note);
  await Promise.all(ends);
});
