import { asSentence, PegboardError } from 'pegboard';
import { decodeBody, readPdf } from 'pegboard/files';
import { runThread } from 'pegboard/processes';
import type { Extracted, Extraction } from './extract-worker.ts';
import type { FetchedPage } from './fetch-public.ts';

/** Milliseconds. A page can be crafted to take forever. */
const timeoutMs = 15_000;
/** Megabytes. */
const memory = 256;
const htmlTypes = new Set(['text/html', 'application/xhtml+xml']);

/**
 * A page as Markdown: the article of an HTML page, the text of a PDF, or any other text unchanged. Throws
 * PEG_TOOL_FAILED.
 */
export async function toMarkdown(page: FetchedPage, signal: AbortSignal): Promise<Extracted> {
  const { type, url, body } = page;
  if (type === 'application/pdf' || body.subarray(0, 5).toString('latin1') === '%PDF-') {
    const { title, text } = await readPdf(body, { name: url, signal, timeoutMs });
    return { title, markdown: text };
  }
  if (!isText(type, body)) {
    throw new PegboardError(
      'PEG_TOOL_FAILED',
      `${url} is ${type || 'a file'} of ${body.length} bytes, which is not text.`,
    );
  }
  const text = await decodeBody(body, page.headers['content-type'] ?? '');
  const looksHtml = htmlTypes.has(type) || (type === '' && /^\s*<(!doctype html|html)/i.test(text));
  return looksHtml ? await fromHtml({ url, text }, signal) : { title: undefined, markdown: text };
}

function isText(type: string, body: Buffer): boolean {
  if (/^text\/|[/+](json|xml|yaml|javascript|markdown)$/.test(type)) return true;
  return type === '' ? !body.subarray(0, 1024).includes(0) : htmlTypes.has(type);
}

async function fromHtml(extraction: Extraction, signal: AbortSignal): Promise<Extracted> {
  const file = new URL(import.meta.url).pathname.endsWith('.ts')
    ? './extract-worker.ts'
    : './extract-worker.js';
  try {
    return await runThread(new URL(file, import.meta.url), extraction, { signal, timeoutMs, memory });
  } catch (cause) {
    if (signal.aborted) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new PegboardError(
      'PEG_TOOL_FAILED',
      `${extraction.url} can't be turned into text: ${asSentence(why)}`,
      { cause },
    );
  }
}
