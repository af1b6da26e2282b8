import type { Diagnostic } from 'pegboard';
import { shortPath } from 'pegboard/kit';
import type { DiagnosticRow } from '../wire.ts';

export function toDiagnosticRow({ path, ...rest }: Diagnostic, home: string): DiagnosticRow {
  return { ...rest, ...(path !== undefined && { path: shortPath(path, home) }) };
}
