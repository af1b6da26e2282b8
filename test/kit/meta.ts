import type { ToolSource } from '../../host/api/source.ts';
import type { Tool } from '../../host/api/tool.ts';
import { createMetaSource } from '../../host/meta/source.ts';
import { createToolSearch } from '../../plugins/builtin-search/search-tools.ts';
import { kernel } from './dispatch.ts';

/** The kernel with the meta-tools and the tools that they run. */
export async function kernelWithMeta(
  tools: readonly Tool[] | ToolSource,
  options: Parameters<typeof kernel>[1] = {},
) {
  const made = await kernel(tools, options);
  const { registry, dispatch } = made;
  const search = createToolSearch(() => registry.snapshot);
  await registry.add(createMetaSource({ snapshot: () => registry.snapshot, search, dispatch }));
  return made;
}
