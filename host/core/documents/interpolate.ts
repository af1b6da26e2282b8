const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

export interface Interpolated {
  readonly text: string;
  /** The variables that were used, with their values, for redaction. Defaults are not included. */
  readonly used: ReadonlyMap<string, string>;
  /** Variables that are unset and have no default. */
  readonly missing: readonly string[];
}

/** Replaces `${NAME}` and `${NAME:-default}`. An empty variable counts as unset when there is a default, as in a shell. */
export function interpolate(text: string, resolve: (name: string) => string | undefined): Interpolated {
  const used = new Map<string, string>();
  const missing: string[] = [];
  const replaced = text.replace(reference, (_, name: string, fallback: string | undefined) => {
    const value = resolve(name);
    if (value !== undefined && (value !== '' || fallback === undefined)) {
      used.set(name, value);
      return value;
    }
    if (fallback === undefined) missing.push(name);
    return fallback ?? '';
  });
  return { text: replaced, used, missing };
}

/** The names in it, each once. */
export const referencesIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(reference)].map(([, name]) => name!)),
];

export const hasReference = (text: string): boolean => text.includes('${') && text.search(reference) >= 0;
