import { join, relative } from 'node:path';
import type { Diagnostic } from '../api/diagnostic.ts';

/** Always with all keys but `hint`; the path relative to the home when it lies inside. */
export function diagnosticToJson(diagnostic: Diagnostic, home: string): object {
  const { severity, code, message, path, line, column, hint } = diagnostic;
  return {
    severity,
    code,
    message,
    path: path === undefined ? null : shortPath(path, home),
    line: line ?? null,
    column: column ?? null,
    ...(hint !== undefined && { hint }),
  };
}

export function shortPath(path: string, home: string): string {
  const way = relative(home, path);
  return way === '' || way.startsWith('..') || join(home, way) !== path ? path : way;
}
