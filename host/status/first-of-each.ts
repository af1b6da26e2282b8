import type { Diagnostic } from '../api/diagnostic.ts';

/** Diagnostics of one code that are shown: thousands of files with the same mistake would hide all others. */
export const shownOfEach = 20;

/** In their order, of each code the first `count`. Pure. */
export function firstOfEach(diagnostics: readonly Diagnostic[], count = shownOfEach): readonly Diagnostic[] {
  const seen = new Map<string, number>();
  return diagnostics.filter(({ code }) => {
    const before = seen.get(code) ?? 0;
    seen.set(code, before + 1);
    return before < count;
  });
}

/** How many there are in all, by code. Pure. */
export function countsOf(diagnostics: readonly Diagnostic[]): {
  readonly errors: number;
  readonly warnings: number;
  readonly codes: { readonly [code: string]: number };
} {
  const codes: { [code: string]: number } = {};
  for (const { code } of diagnostics) codes[code] = (codes[code] ?? 0) + 1;
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: diagnostics.length - errors, codes };
}
