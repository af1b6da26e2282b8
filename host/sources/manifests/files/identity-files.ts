import { maxIdentityLength } from '../../../api/agent.ts';
import type { Diagnostic } from '../../../api/diagnostic.ts';
import { withCommas } from '../../../core/text/with-commas.ts';

/** The part of such a file that models get. */
export function readIdentity(
  text: string,
  path: string,
): { readonly value: string; readonly diagnostics: readonly Diagnostic[] } {
  const whole = text.trim();
  if (whole.length <= maxIdentityLength) return { value: whole, diagnostics: [] };
  const end = whole.lastIndexOf('\n', maxIdentityLength);
  const value = whole.slice(0, end > 0 ? end : maxIdentityLength).trimEnd();
  const before = text.slice(0, text.indexOf(whole)) + value;
  return {
    value,
    diagnostics: [
      {
        severity: 'warning',
        code: 'identity-too-long',
        message: `the file has ${withCommas(whole.length)} characters; models get the first ${withCommas(value.length)}, since they are sent with every request`,
        path,
        line: before.split('\n').length,
        column: before.length - before.lastIndexOf('\n'),
        hint: 'move what is not needed every time into a skill',
      },
    ],
  };
}
