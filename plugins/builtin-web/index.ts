import { definePlugin } from 'pegboard';
import type { WebConfig } from './config.ts';
import { createHttpTools } from './http-tools.ts';
import { createPageReader } from './page-reader.ts';
import { createWebRead } from './web-read.ts';
import { createWebSearch } from './web-search.ts';

export default definePlugin<WebConfig>({
  setup(context) {
    const pages = createPageReader(context);
    const searchKey = context.variable('TAVILY_API_KEY');
    return {
      packs: {
        http: createHttpTools(context.config),
        web: [
          createWebRead(pages, context.artifacts),
          searchKey !== undefined && createWebSearch(searchKey, context.variable('TAVILY_BASE_URL')),
        ],
      },
    };
  },
});
