import { provenance, type Attributed, type Origin } from '../../api/provenance.ts';

/**
 * The value, marked as written by others, beside what it is marked with already: a turn that reads it is asked before it
 * does what lasts. The same value where there are no origins.
 */
export function markUntrusted<T extends object>(value: T, ...origins: readonly Origin[]): T {
  if (origins.length === 0) return value;
  return { ...value, [provenance]: distinct([...originsOf(value), ...origins]) };
}

/** Everyone who wrote something of it, the latest last. */
export function originsOf(value: object): readonly Origin[] {
  return (value as Attributed)[provenance] ?? [];
}

/** The latest. */
export function untrustedOrigin(value: object): Origin | undefined {
  return originsOf(value).at(-1);
}

/** Each once, where it comes last. */
export function distinct(origins: readonly Origin[]): readonly Origin[] {
  const byKey = new Map<string, Origin>();
  for (const { kind, what, keptIn } of origins) {
    const key = `${kind} ${what}`;
    byKey.delete(key);
    byKey.set(key, { kind, what, ...(keptIn !== undefined && { keptIn }) });
  }
  return [...byKey.values()];
}
