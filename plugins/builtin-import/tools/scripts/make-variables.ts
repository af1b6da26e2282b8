/** The variables of a Makefile, as far as they are plain text. */
export interface MakeVariables {
  /** A text with the values of variables. Those that make computes stay. */
  expand(text: string): string;
  /** Those that a text uses and that are meant to be given: with `?=`, or without any value in the file. */
  givenIn(text: string): readonly { readonly name: string; readonly value: string | undefined }[];
}

const assignment =
  /^\s*(?:export\s+|override\s+|private\s+)*([A-Za-z_][A-Za-z0-9_]*)\s*(\?|\+|!|:{0,3})=\s*(.*?)\s*(?:\s#.*)?$/;
const use = /(?<!\$)\$(?:\(([A-Za-z_]\w*)\)|\{([A-Za-z_]\w*)\})/g;

/** Set by make itself or found in every environment. */
const known = new Set(
  `AR AS CC CXX CPP FC PC CO GET LEX YACC LINT M2C RM TANGLE TEX LD MAKE MAKEFLAGS MAKECMDGOALS MAKEFILE_LIST MAKELEVEL
  MAKEOVERRIDES MFLAGS CURDIR SHELL SUFFIXES VPATH OS HOME PATH USER LOGNAME PWD TMPDIR LANG TERM HOSTNAME CI`.split(
    /\s+/,
  ),
);

/** Deeper ones refer to themselves. */
const maxDepth = 8;

export function createVariables(lines: readonly string[]): MakeVariables {
  const values = new Map<string, string | undefined>();
  const givable = new Map<string, string>();
  for (const line of lines) {
    const [, name, operator, value = ''] = line.startsWith('\t') ? [] : (assignment.exec(line) ?? []);
    if (name === undefined) continue;
    if (operator === '?' && !values.has(name)) givable.set(name, value);
    // Of what is added or computed, only make knows the value.
    if (operator !== '?' || !values.has(name)) values.set(name, /[+!]/.test(operator!) ? undefined : value);
  }
  const expand = (text: string): string => {
    let now = text;
    for (let depth = 0; depth < maxDepth; depth++)
      now = now.replaceAll(
        use,
        (found, round?: string, curly?: string) => values.get(round ?? curly!) ?? found,
      );
    return now;
  };
  return {
    expand,
    givenIn(text) {
      const names = new Set<string>();
      for (let now = text, depth = 0; depth < maxDepth; depth++) {
        for (const [, round, curly] of now.matchAll(use)) names.add(round ?? curly!);
        now = [...names].map((name) => values.get(name) ?? '').join('\n');
      }
      return [...names].flatMap((name) => {
        const value = givable.get(name);
        if (value !== undefined) return [{ name, value: value.includes('$') ? undefined : value }];
        return values.has(name) || known.has(name) || name.endsWith('FLAGS')
          ? []
          : [{ name, value: undefined }];
      });
    },
  };
}
