import { createHash } from 'node:crypto';
import { defineTool, type Artifacts, type Tool } from 'pegboard';
import type { PageReader } from './page-reader.ts';
import type { WebPage } from './web-page.ts';
import { webResult } from './untrusted.ts';

/** Maximum characters shown. The rest is in an artifact. */
const defaultLength = 12_000;

export function createWebRead(pages: PageReader, artifacts: Artifacts): Tool {
  const written = new WeakMap<WebPage, string>();
  /** A page that is read repeatedly is stored once. */
  const artifactOf = async (page: WebPage): Promise<string> => {
    const before = written.get(page);
    const isThere =
      before !== undefined &&
      (await artifacts.read(before, 0, 1).then(
        () => true,
        () => false,
      ));
    if (isThere) return before;
    const id = await artifacts.write(page.markdown);
    written.set(page, id);
    return id;
  };
  return defineTool({
    name: 'web_read',
    title: 'Read a web page',
    description:
      'Reads a web page, article or PDF by its address and returns it as Markdown, without menus and scripts. Long pages: the first 12,000 characters, the rest by read_artifact.',
    category: 'web',
    tags: ['url', 'fetch', 'article', 'internet', 'page', 'pdf'],
    aliases: ['open url', 'fetch page', 'browse', 'lire une page', 'Webseite lesen', 'leer página'],
    annotations: { readOnlyHint: true, openWorldHint: true },
    timeout: 60,
    relays: true,
    permission: { kind: 'url', argument: 'url' },
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['url'],
      properties: {
        url: { type: 'string', minLength: 1, maxLength: 2_000, description: 'Address of the page.' },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['url', 'sha256', 'content'],
      properties: {
        url: { type: 'string', description: 'After redirects.' },
        title: { type: 'string' },
        sha256: { type: 'string', description: 'Of content, in hexadecimal.' },
        content: { type: 'string', description: 'The whole page as Markdown.' },
        truncated: { type: 'boolean' },
      },
    },
    examples: [{ input: { url: 'https://example.com/article' } }],
    prepare: ({ url }) => ({ preview: `read ${url}` }),
    async execute({ url }, call) {
      const page = await pages.read(url, call.signal);
      const { markdown } = page;
      const head = page.title === undefined ? page.url : `# ${page.title}\n${page.url}`;
      const notes = [page.cut ? 'the page is longer than what was loaded' : ''];
      if (markdown.length > defaultLength) {
        const id = await artifactOf(page);
        notes.push(
          `${defaultLength} of ${markdown.length} characters; go on with read_artifact, id ${id}, offset ${defaultLength}`,
        );
      }
      const note = notes.filter(Boolean).join('; ');
      const text = `${head}\n\n${markdown.slice(0, defaultLength)}${note === '' ? '' : `\n\n[${note}]`}`;
      const { url: address, title } = page;
      const sha256 = createHash('sha256').update(markdown).digest('hex');
      return webResult(text, address, {
        url: address,
        ...(title !== undefined && { title }),
        // What watchers compare.
        sha256,
        content: markdown,
        ...(page.cut && { truncated: true }),
      });
    },
  });
}
