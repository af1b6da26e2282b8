const nameForm = String.raw`[A-Za-z_]\w*`;
/** A `$` that names nothing is one: "$5". */
const fallbackForm = String.raw`(?:[^}$]|\$(?![A-Za-z_{]))*`;
/** Regular expression of `${NAME}` and `${NAME:-default}`, without groups. */
export const referencePattern = String.raw`\$\{${nameForm}(?::-${fallbackForm})?\}`;
const reference = new RegExp(String.raw`\$\{(${nameForm})(?::-(${fallbackForm}))?\}`, 'g');
const odd = new RegExp(String.raw`\$\{${nameForm}:-${fallbackForm}\$(?=[A-Za-z_{])[^}]*\}?`);

/** What to write instead of a reference that can't be read. */
export const referenceHint = 'write ${NAME} or ${NAME:-default}; a default names no other variable';

/** A reference whose default names another variable, which is not filled in. Undefined if there is none. */
export const oddDefaultIn = (text: string): string | undefined => odd.exec(text)?.[0];

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
