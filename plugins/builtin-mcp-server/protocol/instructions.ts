import type { InjectionMode } from 'pegboard';
import type { ToolList } from '../calls/tool-list.ts';

const inDiscovery = 'Where get_tool is listed, it shows what the server of a tool says about its use.';

const howToSearch =
  'search, then run what was found with the tool for its risk: low execute_read_only_tool, medium execute_tool, high execute_destructive_tool. Wrong arguments come back with what the schema wants.';

/**
 * What a client's model should know of a list that doesn't show everything. A modern client isn't known yet when this
 * is sent, and one that defers tools itself gets another list: hence "where".
 */
const byMode = {
  direct: undefined,
  compact_direct:
    'Where get_tool is listed, schemas are shortened to names and types. Wrong arguments come back with what their schema wants; get_tool shows all of it beforehand.',
  discovery: `Where search_tools is listed, other tools are not: ${howToSearch}`,
} as const satisfies Record<InjectionMode, string | undefined>;

/** Where the preset leaves tools out of a list of the others. */
const ofHidden = `Where search_tools is listed, some tools are not: ${howToSearch}`;

/** `servers`: what the servers behind say. In discovery get_tool has it. */
export function instructionsFor(
  own: string | undefined,
  { mode, hidesTools }: Pick<ToolList, 'mode' | 'hidesTools'>,
  servers: string | undefined,
): string | undefined {
  const ofServers = mode === 'discovery' && servers !== undefined ? inDiscovery : servers;
  const ofPreset = hidesTools && mode !== 'discovery' ? ofHidden : undefined;
  const parts = [own, byMode[mode], ofPreset, ofServers].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join('\n\n') : undefined;
}
