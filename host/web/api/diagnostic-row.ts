import type { Diagnostic } from '../../api/diagnostic.ts';
import { shortPath } from '../../status/diagnostic-json.ts';
import type { DiagnosticRow } from '../wire.ts';

export function toDiagnosticRow({ path, ...rest }: Diagnostic, home: string): DiagnosticRow {
  return { ...rest, ...(path !== undefined && { path: shortPath(path, home) }) };
}
