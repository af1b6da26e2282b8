import { parentPort, workerData } from 'node:worker_threads';

/** What the thread is given. */
export type Extraction =
  | { readonly kind: 'html'; readonly url: string; readonly text: string }
  | { readonly kind: 'pdf'; readonly url: string; readonly body: Uint8Array };

export interface Extracted {
  readonly title: string | undefined;
  readonly markdown: string;
}

/** The article as Firefox's reader finds it, or all of the page where there is none. Scripts don't run, nothing is loaded. */
async function fromHtml({ url, text }: Extraction & { readonly kind: 'html' }): Promise<Extracted> {
  const [{ JSDOM, VirtualConsole }, { Readability }, { default: Turndown }] = await Promise.all([
    import('jsdom'),
    import('@mozilla/readability'),
    import('turndown'),
  ]);
  const { document } = new JSDOM(text, { url, virtualConsole: new VirtualConsole() }).window;
  const title = document.title.trim() || undefined;
  const whole = document.cloneNode(true) as Document;
  const article = new Readability(document, { charThreshold: 200 }).parse();
  for (const part of whole.querySelectorAll('script, style, noscript, template, svg, iframe')) part.remove();
  const converter = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  const markdown = converter.turndown(article?.content || whole.body.innerHTML);
  return { title: article?.title || title, markdown: markdown.replace(/\n{3,}/g, '\n\n').trim() };
}

async function fromPdf({ body }: Extraction & { readonly kind: 'pdf' }): Promise<Extracted> {
  const { extractText, getDocumentProxy, getMeta } = await import('unpdf');
  const document = await getDocumentProxy(body);
  const { text } = await extractText(document, { mergePages: false });
  const { info } = await getMeta(document);
  const title = (info as { readonly Title?: unknown }).Title;
  return {
    title: typeof title === 'string' && title !== '' ? title : undefined,
    markdown: text.map((page, index) => `[page ${index + 1}]\n${page.trim()}`).join('\n\n'),
  };
}

const extraction = workerData as Extraction;
parentPort!.postMessage(
  extraction.kind === 'html' ? await fromHtml(extraction) : await fromPdf(extraction),
  [],
);
