import { definePlugin } from 'pegboard';
import type { WebConfig } from './config.ts';
import { createHttpTools } from './http-tools.ts';
import { createKnownAddresses } from './known-addresses.ts';
import { createPageReader } from './page-reader.ts';
import { createWebRead } from './web-read.ts';
import { createWebSearch } from './web-search.ts';

export default definePlugin<WebConfig>({
  setup(context) {
    const pages = createPageReader(context);
    const known = createKnownAddresses(context.history);
    const searchKey = context.variable('TAVILY_API_KEY');
    return {
      hooks: { postTool: (call, result) => known.note(call, result) },
      packs: {
        http: createHttpTools(context.config, known),
        web: [
          createWebRead(pages, known, context.artifacts),
          searchKey !== undefined && createWebSearch(searchKey, context.variable('TAVILY_BASE_URL')),
        ],
      },
    };
  },
});
