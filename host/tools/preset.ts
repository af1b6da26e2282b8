import type { ToolSource } from '../api/source.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { matchesTool } from '../core/text/glob.ts';

/** How many of the tools that a caller may use are listed. It changes nothing about what can be called or found. */
export type PresetName = 'lean' | 'full';

export interface ToolPreset {
  readonly name: PresetName;
  /** Patterns of tools that are listed anyway. */
  readonly show: readonly string[];
}

export const fullPreset: ToolPreset = { name: 'full', show: [] };

/** `lean` leaves out the tools that their own pack doesn't count as lean. */
export function isListed(
  { id, name, source }: Pick<RegisteredTool, 'id' | 'name'> & { readonly source: Pick<ToolSource, 'lean'> },
  preset: ToolPreset,
): boolean {
  if (preset.name === 'full' || !source.lean) return true;
  return source.lean.includes(name) || matchesTool(preset.show, { id, name });
}
