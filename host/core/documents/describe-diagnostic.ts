import type { Diagnostic } from '../../api/diagnostic.ts';

/** On one line: "/a/b.yaml:3:1: what is wrong (what to do)". */
export function describeDiagnostic({ path, line, column, message, hint }: Diagnostic): string {
  const place = [path, line, column].filter((part) => part !== undefined).join(':');
  return `${place}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
}
