import type { Contributions } from '../../api/plugin.ts';
import type { Tool } from '../../api/tool.ts';
import { nearest } from '../../core/documents/nearest.ts';
import { checkTools } from './check-tools.ts';
import { kind, sourceKind } from './kind.ts';

export interface Pack {
  readonly name: string;
  readonly tools: readonly Tool[];
}

/** Tools by pack. A pack that plugin.yaml doesn't declare is left out. */
export const packs = kind<NonNullable<Contributions['packs']>, readonly Pack[]>({
  form: 'an object',
  none: [],
  check: (given, plugged) =>
    Object.entries(given).flatMap(([name, entries]) => {
      const { packs: declared } = plugged.plugin;
      if (Object.hasOwn(declared, name)) {
        const names = declared[name]!.tools;
        return [{ name, tools: checkTools(entries, { where: `pack ${name}`, names }, plugged) }];
      }
      const [near] = nearest(name, Object.keys(declared));
      plugged.report(
        'undeclared-pack',
        `the plugin brings a pack "${name}" that its plugin.yaml doesn't declare, so its tools are left out`,
        near === undefined ? `declare it under packs:` : `${name} → ${near}?`,
      );
      return [];
    }),
  sources: (kept, { plugin }) =>
    kept.map(({ name, tools }) => {
      const { packs: written, folder, dynamic } = plugin;
      const declared = written[name]!;
      return {
        id: dynamic ? `code:${dynamic.space}/${name}` : `pack:${name}`,
        kind: sourceKind(plugin),
        module: dynamic?.space ?? name,
        description: declared.description,
        ...(declared.lean && { lean: declared.lean }),
        ...(declared.alwaysLoad !== undefined && { alwaysLoad: declared.alwaysLoad }),
        ...(declared.channel !== undefined && { channel: declared.channel }),
        origin: folder,
        declares: {
          ...(declared.config && { config: declared.config }),
          ...(declared.constraints && { constraints: declared.constraints }),
        },
        list: () => ({ tools }),
      };
    }),
});
