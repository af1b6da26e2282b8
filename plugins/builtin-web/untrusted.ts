import { markUntrusted, textResult, type StructuredResult } from 'pegboard';

/** Untrusted text from the web, and the same for programs. */
export function webResult<Structured>(
  text: string,
  origin: string,
  structured: Structured,
): StructuredResult<Structured> {
  return markUntrusted(textResult(text, structured), { kind: 'web', what: origin });
}
