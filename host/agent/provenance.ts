import type { Origin, Provenance } from '../api/provenance.ts';
import { distinct } from '../core/foreign/untrusted.ts';

/** Keeps each origin once, the latest last. */
export function createProvenance(known: readonly Origin[] = []): Provenance {
  let origins = distinct(known);
  return {
    get origins() {
      return origins;
    },
    note(origin) {
      origins = distinct([...origins, origin]);
    },
  };
}
