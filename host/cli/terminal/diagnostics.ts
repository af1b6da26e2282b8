import type { Diagnostic } from '../../api/diagnostic.ts';
import { shortPath } from '../../status/diagnostic-json.ts';
import { shownMessage } from './safe.ts';
import type { Surface } from './terminal.ts';
import { wrap } from './width.ts';

/** One finding after the other, errors first, then by file and line. */
export function showDiagnostics(surface: Surface, diagnostics: readonly Diagnostic[], home: string): void {
  for (const line of diagnosticLines(surface, diagnostics, home)) surface.line(line);
}

export function* diagnosticLines(
  { style, proseWidth }: Pick<Surface, 'style' | 'proseWidth'>,
  diagnostics: readonly Diagnostic[],
  home: string,
): Iterable<string> {
  for (const { severity, code, message, path, line, column, hint } of inOrder(diagnostics)) {
    const place = [path === undefined ? undefined : shortPath(path, home), line, column];
    const where = place.filter((part) => part !== undefined).join(':');
    const label = severity === 'error' ? style.bad('error') : style.warning('warning');
    yield [label, style.name(where), style.quiet(code)].filter(Boolean).join('  ');
    const text = shownMessage(hint === undefined ? message : `${message}\n→ ${hint}`);
    for (const part of wrap(text, proseWidth - 4)) yield `    ${part}`;
  }
}

/** The same for the same finding at the same place. */
export const diagnosticKey = ({ code, path, line, message }: Diagnostic): string =>
  JSON.stringify([code, path, line, message]);

/** "2 errors, 1 warning"; empty for none. */
export function countDiagnostics(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  return [plural(errors, 'error'), plural(warnings, 'warning')].filter(Boolean).join(', ');
}

function plural(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function rank({ severity }: Diagnostic): number {
  return severity === 'error' ? 0 : 1;
}

function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) =>
      rank(a) - rank(b) || (a.path ?? '').localeCompare(b.path ?? '') || (a.line ?? 0) - (b.line ?? 0),
  );
}
