import { provenance, type Attributed, type Origin } from '../../api/provenance.ts';

/**
 * The value, marked with the origins of its content in addition to earlier ones: a turn that reads it needs
 * confirmation for lasting effects. The same value if there are no origins.
 */
export function markUntrusted<T extends object>(value: T, ...origins: readonly Origin[]): T {
  if (origins.length === 0) return value;
  return { ...value, [provenance]: distinct([...originsOf(value), ...origins]) };
}

/** All origins of the value, the latest last. */
export function originsOf(value: object): readonly Origin[] {
  return (value as Attributed)[provenance] ?? [];
}

/** The latest origin. */
export function untrustedOrigin(value: object): Origin | undefined {
  return originsOf(value).at(-1);
}

/** Without duplicates, each in its last position. */
export function distinct(origins: readonly Origin[]): readonly Origin[] {
  const byKey = new Map<string, Origin>();
  for (const { kind, what, keptIn } of origins) {
    const key = `${kind} ${what}`;
    byKey.delete(key);
    byKey.set(key, { kind, what, ...(keptIn !== undefined && { keptIn }) });
  }
  return [...byKey.values()];
}
