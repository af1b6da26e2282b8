/** A thread that extracts the text of one PDF. Its bytes are `workerData`, and the answer is its only message. */
import { parentPort, workerData } from 'node:worker_threads';
import { getDocumentProxy, getMeta } from 'unpdf';
import { messageOf } from '../errors.ts';

export type PdfAnswer =
  | { readonly title: string | undefined; readonly pages: readonly string[] }
  | { readonly needsPassword: true }
  | { readonly broken: string };

async function read(bytes: Uint8Array): Promise<PdfAnswer> {
  const document = await getDocumentProxy(bytes, { verbosity: 0 });
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number++) pages.push(await readPage(number));
  const { info } = await getMeta(document);
  const title = (info as { readonly Title?: unknown }).Title;
  return { title: typeof title === 'string' && title !== '' ? title : undefined, pages };

  /** Pages are released one after the other, because a book has thousands. */
  async function readPage(number: number): Promise<string> {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    const parts = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''));
    return parts.join('').trim();
  }
}

/** Names of pdf.js's exceptions. */
function explain(cause: unknown): PdfAnswer {
  return (cause as Error).name === 'PasswordException'
    ? { needsPassword: true }
    : { broken: messageOf(cause) };
}

parentPort!.postMessage(await read(workerData as Uint8Array).catch(explain), []);
