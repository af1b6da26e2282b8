import { defineTool, PegboardError, toJson, type Tool } from 'pegboard';
import { webResult } from './untrusted.ts';

const defaultBase = 'https://api.tavily.com';

interface FoundPage {
  readonly title?: string;
  readonly url?: string;
  readonly content?: string;
}

interface Found {
  readonly answer?: string | null;
  readonly results?: readonly FoundPage[];
}

/** Search with Tavily: https://docs.tavily.com. */
export function createWebSearch(key: string, base = defaultBase): Tool {
  return defineTool({
    name: 'web_search',
    title: 'Search the web',
    description:
      'Searches the web and returns up to five pages with title, address and what they say, and a short answer if there is one.',
    category: 'web',
    tags: ['internet', 'news', 'research', 'google'],
    aliases: ['google', 'look up online', 'chercher sur le web', 'im Internet suchen', 'buscar en la web'],
    annotations: { readOnlyHint: true, openWorldHint: true },
    // The summary is written by a model, and what was not found is the caller's.
    relays: ({ results = [] }: { readonly results?: readonly FoundPage[] } = {}) =>
      results.flatMap(({ url = '', content = '' }) => [url, content]),
    timeout: 30,
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['query'],
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 400, description: 'What to look for.' },
        topic: {
          type: 'string',
          enum: ['general', 'news', 'finance'],
          default: 'general',
          description: 'Kind of pages.',
        },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['results'],
      properties: {
        answer: { type: 'string' },
        results: {
          type: 'array',
          items: {
            type: 'object',
            required: ['title', 'url', 'content'],
            properties: {
              title: { type: 'string' },
              url: { type: 'string' },
              content: { type: 'string', description: 'What the page says about it.' },
            },
          },
        },
      },
    },
    examples: [{ input: { query: 'Node.js 26 release notes' } }],
    prepare: ({ query }) => ({ preview: `search the web for ${toJson(query)}` }),
    async execute({ query, topic = 'general' }, call) {
      const response = await fetch(`${base.replace(/\/$/, '')}/search`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: toJson({ query, topic, max_results: 5, include_answer: true }),
        signal: call.signal,
      });
      if (!response.ok) throw new PegboardError('PEG_TOOL_FAILED', explain(response.status));
      const { answer, results = [] } = (await response.json()) as Found;
      if (results.length === 0) return webResult(`Nothing was found for "${query}".`, base, { results: [] });
      const pages = results
        .slice(0, 5)
        .map(
          ({ title, url, content }, index) =>
            `${index + 1}. ${title ?? url}\n   ${url}\n   ${content?.trim() ?? ''}`,
        );
      const structure = { ...(answer && { answer }), results: results.slice(0, 5).map(toItem) };
      return webResult([...(answer ? [`Summary: ${answer}`] : []), ...pages].join('\n\n'), base, structure);
    },
  });
}

const toItem = ({ title, url = '', content = '' }: FoundPage) => ({
  title: title ?? url,
  url,
  content: content.trim(),
});

function explain(status: number): string {
  if (status === 401 || status === 403) return 'Tavily refuses the key in TAVILY_API_KEY.';
  if (status === 429 || status === 432) return "Tavily's limit is reached for now. Try again later.";
  return `Tavily answers with ${status}. Try again later.`;
}
