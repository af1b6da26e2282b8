import type { InjectionMode } from '../../api/agent.ts';

/**
 * What a client's model should know of a list that doesn't show everything. The client isn't known yet when this is
 * sent, and one that defers tools itself gets another list: hence "where".
 */
const byMode: Record<InjectionMode, string | undefined> = {
  direct: undefined,
  compact_direct:
    'Where a tool has no properties in its schema, the schema is left out: call it with what seems right. Arguments that do not fit come back with the schema; get_tool shows it beforehand.',
  discovery:
    'Where search_tools is listed, most tools are not: search, then run what was found with the tool for its risk: low execute_read_only_tool, medium execute_tool, high execute_destructive_tool. Arguments that do not fit come back with the schema.',
};

export function instructionsFor(own: string | undefined, mode: InjectionMode): string | undefined {
  const parts = [own, byMode[mode]].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join('\n\n') : undefined;
}
