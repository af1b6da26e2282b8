import type { Origin, Provenance } from '../api/provenance.ts';

/** Each origin once, the latest last. */
export function createProvenance(known: readonly Origin[] = []): Provenance {
  const origins = new Map<string, Origin>();
  const note = (origin: Origin): void => {
    const { kind, what } = origin;
    const key = `${kind} ${what}`;
    origins.delete(key);
    origins.set(key, { kind, what });
  };
  known.forEach(note);
  return {
    get origins() {
      return [...origins.values()];
    },
    note,
  };
}
