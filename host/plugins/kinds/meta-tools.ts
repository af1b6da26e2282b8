import type { Contributions } from '../../api/plugin.ts';
import type { Tool } from '../../api/tool.ts';
import { metaSource } from '../../tools/meta.ts';
import { checkTools } from './check-tools.ts';
import { kind, sourceKind } from './kind.ts';

/** Tools that find and run others. Those that plugin.yaml doesn't list are left out. */
export const metaTools = kind<NonNullable<Contributions['metaTools']>, readonly Tool[]>({
  form: 'a list',
  none: [],
  check: (tools, plugged) =>
    checkTools(tools, { where: 'its metaTools', names: plugged.plugin.metaTools }, plugged),
  sources: (tools, { plugin }) => [
    {
      id: `${metaSource}:${plugin.id}`,
      kind: sourceKind(plugin),
      module: metaSource,
      description: plugin.description,
      alwaysLoad: true,
      isMeta: true,
      origin: plugin.folder,
      list: () => ({ tools }),
    },
  ],
});
