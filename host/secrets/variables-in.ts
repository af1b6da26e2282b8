import { interpolate, referencesIn } from '../core/documents/interpolate.ts';

export interface Variables {
  /** The names of all `${NAME}`, each once. */
  readonly named: readonly string[];
  /** Those that have neither a value nor a default. */
  readonly missing: readonly string[];
}

/** The variables in the texts of a JSON-like value, which is not filled in. */
export function variablesIn(value: unknown, resolve: (name: string) => string | undefined): Variables {
  const named = new Set<string>();
  const missing = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node === 'string') {
      for (const name of referencesIn(node)) named.add(name);
      for (const name of interpolate(node, resolve).missing) missing.add(name);
    } else if (node !== null && typeof node === 'object') {
      for (const item of Object.values(node)) visit(item);
    }
  };
  visit(value);
  return { named: [...named], missing: [...missing] };
}
