import type { Diagnostic } from '../../api/diagnostic.ts';
import type { LiveSource } from '../../api/plugin.ts';
import type { Listing, ToolSource } from '../../api/source.ts';
import { withinLimit } from '../../core/async/deadline.ts';
import { parseJson, toJson } from '../../core/documents/written-numbers.ts';
import { checkTools } from './check-tools.ts';
import { kind, sourceKind, type Plugged } from './kind.ts';
import { requireMember } from './require-function.ts';

/** Milliseconds that a listing may take: others wait for it while the plugin starts. */
const listTimeoutMs = 10_000;

/** Sources of tools whose listings change while the plugin runs. */
export const liveSources = kind<readonly LiveSource[]>({
  form: 'a list',
  none: [],
  check: (sources, { plugin, report }) =>
    sources.filter((source) => {
      requireMember(plugin, `A source`, source, 'list');
      const { module } = source;
      if (plugin.sources.includes(module) && !Object.hasOwn(plugin.packs, module)) return true;
      report(
        'undeclared-source',
        `the plugin brings a source of tools "${module}" that its plugin.yaml doesn't declare, so its tools are left out`,
        'declare it under sources:, by a name that no pack has',
      );
      return false;
    }),
  sources: (kept, plugged) => kept.map((source) => toSource(source, plugged)),
});

/** Says whose it is, whatever it says itself, and lists the tools that can be used. */
function toSource(source: LiveSource, plugged: Plugged): ToolSource {
  const { plugin, entrance, clock } = plugged;
  const { module, description, lean, alwaysLoad, channel, declares } = source;
  const listed = async (): Promise<Listing> => {
    const { tools, diagnostics = [] } = await source.list();
    const found = [...(parseJson(toJson(diagnostics)) as readonly Diagnostic[])];
    const report: Plugged['report'] = (code, message, hint, path = plugin.path) =>
      void found.push({ severity: 'error', code, message, path, ...(hint !== undefined && { hint }) });
    const place = { where: `the source ${module}` };
    return { tools: checkTools([...tools], place, { ...plugged, report }), diagnostics: found };
  };
  return {
    // As a pack of that name has it: each name belongs to one plugin.
    id: `pack:${module}`,
    kind: sourceKind(plugin),
    module,
    description,
    origin: plugin.folder,
    ...(lean && { lean }),
    ...(alwaysLoad !== undefined && { alwaysLoad }),
    ...(channel !== undefined && { channel }),
    ...(declares && { declares }),
    list: () => withinLimit(entrance.call(listed), listTimeoutMs, clock),
    ...(source.whyMissing && {
      whyMissing: (tool: string) => entrance.call(() => source.whyMissing!(tool)),
    }),
    ...(source.watch && {
      watch(changed: () => void) {
        let told: NodeJS.Immediate | undefined;
        // A source that calls back whenever it is listed must not keep everybody else waiting.
        const tell = (): void => {
          told ??= setImmediate(() => {
            told = undefined;
            changed();
          });
        };
        const watching = entrance.call(() => source.watch!(tell));
        return {
          [Symbol.dispose]() {
            clearImmediate(told);
            entrance.call(() => watching[Symbol.dispose]());
          },
        };
      },
    }),
    async [Symbol.asyncDispose]() {
      await entrance.call(() => source[Symbol.asyncDispose]?.());
    },
  };
}
