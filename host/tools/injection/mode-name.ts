import type { InjectionMode } from '../../api/agent.ts';

/** The modes as people write them; `compact` is short for compact_direct. */
export const modeNames = ['direct', 'compact', 'discovery'] as const;

const byName = new Map<string, InjectionMode>([
  ['direct', 'direct'],
  ['compact', 'compact_direct'],
  ['compact_direct', 'compact_direct'],
  ['discovery', 'discovery'],
]);

export function modeNamed(name: string): InjectionMode | undefined {
  return byName.get(name);
}
