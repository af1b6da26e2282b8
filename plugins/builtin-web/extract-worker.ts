import { parentPort, workerData } from 'node:worker_threads';

/** The input of the thread. */
export interface Extraction {
  readonly url: string;
  readonly text: string;
}

export interface Extracted {
  readonly title: string | undefined;
  readonly markdown: string;
}

/**
 * The article as found by Firefox's reader mode, or the whole page if there is none. Scripts don't run and nothing is
 * loaded.
 */
async function fromHtml({ url, text }: Extraction): Promise<Extracted> {
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

parentPort!.postMessage(await fromHtml(workerData as Extraction), []);
