import type { Diagnostic } from 'pegboard';
import { lint } from 'pegboard/kit';
import type { CheckedPlan } from './check-plan.ts';

/** What `pegboard lint` says of the files as they are now, those included that were kept. */
export async function lintWritten(home: string, { files }: CheckedPlan): Promise<readonly Diagnostic[]> {
  const written = new Set(files.map(({ path }) => path));
  return (await lint(home)).filter(({ path }) => path !== undefined && written.has(path));
}
