import { docsPage } from '../core/docs-page.ts';
import type { Check } from '../api/diagnostic.ts';
import { hideEnvironment } from '../core/processes/hide-environment.ts';
import { runMarkProblem } from '../core/processes/run-mark.ts';
import { ok, warning } from '../status/check.ts';

/** What commands without a sandbox can leave behind and read. */
export function checkProcesses(): Check {
  const unmarked = runMarkProblem();
  const problems = [
    ...(unmarked === undefined
      ? []
      : [`processes that leave their group and environment are not ended: ${unmarked}`]),
    ...(hideEnvironment() ? [] : ["commands without a sandbox can read this process's variables"]),
  ];
  return problems.length === 0
    ? ok(
        'processes',
        'programs that a command leaves running are ended, and commands see no variables of this process',
      )
    : warning(
        'processes',
        problems.join('; '),
        `${docsPage('security.md')} describes the remaining protections`,
      );
}
