import type { Diagnostic } from '../../../api/diagnostic.ts';
import type { LintedTool } from './lint-file.ts';

/** By bare name, the ids of tools that are defined outside the home's spaces and take precedence over them. */
export type RegisteredNames = ReadonlyMap<string, string>;

/**
 * Tools with the id of another, and tools whose bare name resolves to another, in the order in which a host resolves
 * names: `registered` tools, manifests, then space.manifest.json.
 */
export function lintNames(tools: readonly LintedTool[], registered: RegisteredNames): readonly Diagnostic[] {
  const byId = new Map<string, LintedTool>();
  const byName = new Map<string, LintedTool>();
  const inOrder = tools.toSorted((a, b) => Number(a.file.kind === 'space') - Number(b.file.kind === 'space'));
  return inOrder.flatMap((tool): Diagnostic[] => {
    const { id } = tool.manifest.written;
    const fullId = `${tool.file.module}.${id}`;
    const rival = byId.get(fullId);
    if (rival) {
      return [
        {
          severity: 'error',
          code: 'duplicate-id',
          message: `${fullId} is defined twice: ${placeOf(rival)} is used, this one is not`,
          ...whereOf(tool),
          hint: 'give one of them another id',
        },
      ];
    }
    byId.set(fullId, tool);
    const elsewhere = registered.get(id);
    if (elsewhere !== undefined && elsewhere !== fullId) {
      return [
        {
          severity: 'warning',
          code: 'shadowed-name',
          message: `"${id}" means ${elsewhere}; this one is called by its full name, ${fullId}`,
          ...whereOf(tool),
        },
      ];
    }
    const holder = byName.get(id);
    if (!holder) {
      byName.set(id, tool);
      return [];
    }
    return [
      {
        severity: 'warning',
        code: 'shadowed-name',
        message: `"${id}" means ${holder.file.module}.${id} (${placeOf(holder)}); this one is called by its full name, ${fullId}`,
        ...whereOf(tool),
      },
    ];
  });
}

const whereOf = ({ manifest, document, at }: LintedTool) => ({
  path: manifest.path,
  ...document.locate(`${at}/id`),
});

const placeOf = (tool: LintedTool): string => `${tool.manifest.path}:${whereOf(tool).line}`;
