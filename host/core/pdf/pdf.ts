import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PegboardError, messageOf } from '../errors.ts';
import { packageRoot } from '../files/paths.ts';
import type { PdfAnswer } from './pdf-worker.ts';
import { runThread } from '../async/thread.ts';
import { asSentence } from '../text/as-sentence.ts';

export interface PdfText {
  /** From the file's metadata, if present. */
  readonly title: string | undefined;
  /** In reading order, each page under a line `[page 1]`. */
  readonly text: string;
}

export interface PdfOptions {
  /** The name of the file in errors. */
  readonly name: string;
  readonly signal: AbortSignal;
  /** Milliseconds. Default: 30 s. */
  readonly timeoutMs?: number;
}

/** Megabytes. */
const memory = 512;
/** In the built package this file may be anywhere, but the thread's file is at this path. */
const module = `host/core/pdf/pdf-worker${extname(import.meta.filename)}`;

/**
 * Extracts the text of a PDF in a separate thread. Throws PEG_TOOL_FAILED when the PDF is broken, needs a password, has
 * no text or takes too long.
 */
export async function readPdf(bytes: Uint8Array, options: PdfOptions): Promise<PdfText> {
  const { name, signal, timeoutMs = 30_000 } = options;
  const body = new Uint8Array(bytes);
  const answer = await runThread<PdfAnswer>(pathToFileURL(join(packageRoot, module)), body, {
    signal,
    timeoutMs,
    memory,
    transfer: [body.buffer],
  }).catch((cause: unknown): never => {
    if (signal.aborted) throw cause;
    throw failed(`${name} can't be turned into text: ${asSentence(messageOf(cause))}`);
  });
  if ('needsPassword' in answer) {
    throw failed(
      `${name} is encrypted and opens only with a password. Save a copy without one and read that.`,
    );
  }
  if ('broken' in answer) throw failed(`${name} is a broken PDF: ${answer.broken}`);
  const { title, pages } = answer;
  if (pages.every((page) => page === '')) {
    throw failed(
      `${name} has no text on its ${pages.length === 1 ? 'page' : `${pages.length} pages`}: it may be a scan, whose text has to be recognised first, for instance by \`ocrmypdf\`.`,
    );
  }
  return { title, text: pages.map((page, at) => `[page ${at + 1}]\n${page}`).join('\n\n') };
}

const failed = (message: string): PegboardError => new PegboardError('PEG_TOOL_FAILED', message);
