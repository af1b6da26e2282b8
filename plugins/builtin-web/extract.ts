import { Worker } from 'node:worker_threads';
import { PegboardError } from 'pegboard';
import type { Extracted, Extraction } from './extract-worker.ts';
import type { FetchedPage } from './fetch-public.ts';

/** Milliseconds: a page can be made to take for ever. */
const limit = 15_000;
const memory = { maxOldGenerationSizeMb: 256 };
const htmlTypes = new Set(['text/html', 'application/xhtml+xml']);

/** A page as Markdown: the article of an HTML page, the text of a PDF, any other text as it is. Throws PEG_TOOL_FAILED. */
export async function toMarkdown(page: FetchedPage, signal: AbortSignal): Promise<Extracted> {
  const { type, url, body } = page;
  if (type === 'application/pdf' || body.subarray(0, 5).toString('latin1') === '%PDF-') {
    return await inWorker({ kind: 'pdf', url, body: new Uint8Array(body) }, signal);
  }
  if (!isText(type, body)) {
    throw new PegboardError(
      'PEG_TOOL_FAILED',
      `${url} is ${type || 'a file'} of ${body.length} bytes, which is no text.`,
    );
  }
  const text = decode(page);
  const looksHtml = htmlTypes.has(type) || (type === '' && /^\s*<(!doctype html|html)/i.test(text));
  return looksHtml
    ? await inWorker({ kind: 'html', url, text }, signal)
    : { title: undefined, markdown: text };
}

function isText(type: string, body: Buffer): boolean {
  if (/^text\/|[/+](json|xml|yaml|javascript|markdown)$/.test(type)) return true;
  return type === '' ? !body.subarray(0, 1024).includes(0) : htmlTypes.has(type);
}

function decode({ body, charset }: FetchedPage): string {
  const declared =
    charset ?? /<meta[^>]+charset=["']?([\w-]+)/i.exec(body.toString('latin1', 0, 2048))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(declared).decode(body);
  } catch {
    return body.toString('utf8');
  }
}

/** In a thread that ends with the page: nothing of it stays in memory, and a hostile page costs its own thread alone. */
async function inWorker(extraction: Extraction, signal: AbortSignal): Promise<Extracted> {
  const file = new URL(import.meta.url).pathname.endsWith('.ts')
    ? './extract-worker.ts'
    : './extract-worker.js';
  const worker = new Worker(new URL(file, import.meta.url), {
    workerData: extraction,
    resourceLimits: memory,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Extracted>();
  const fail = (why: string, cause?: unknown): void =>
    reject(
      new PegboardError('PEG_TOOL_FAILED', `${extraction.url} can't be turned into text: ${why}.`, { cause }),
    );
  const timer = setTimeout(() => fail(`it took longer than ${limit / 1000} s`), limit);
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  worker.once('message', resolve);
  worker.once('error', (cause: Error) => fail(cause.message, cause));
  worker.once('exit', () => fail('its thread ended'));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    void worker.terminate();
  }
}
