import type { ToolSource } from '../api/source.ts';
import type { Tool } from '../api/tool.ts';
import { metaSource } from '../tools/meta.ts';
import { browseCategory } from './browse-category.ts';
import { executeTool } from './execute-tool.ts';
import { getTool } from './get-tool.ts';
import { listCategories } from './list-categories.ts';
import { searchTools } from './search-tools.ts';
import type { MetaServices } from './services.ts';

/** The meta-tools. `others` come after those that find and run tools. */
export function createMetaSource(services: MetaServices, others: readonly Tool[] = []): ToolSource {
  const tools: readonly Tool[] = [
    searchTools(services),
    getTool(services),
    executeTool(services),
    listCategories(services),
    browseCategory(services),
    ...others,
  ];
  return {
    id: metaSource,
    kind: 'builtin',
    module: metaSource,
    description: 'Find, inspect and run other tools.',
    alwaysLoad: true,
    isMeta: true,
    list: () => ({ tools }),
  };
}
