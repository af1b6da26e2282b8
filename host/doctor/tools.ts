import { pegboard } from '../core/own-command.ts';
import type { Check } from '../api/diagnostic.ts';
import { plural } from '../core/text/plural.ts';
import type { Host } from '../host.ts';
import { failed, ok, warning } from '../status/check.ts';
import { callable } from '../tools/access.ts';

export function checkTools(host: Host): Check {
  const { length } = callable(host.registry.snapshot);
  const errors = host.diagnostics.filter(({ severity }) => severity === 'error').length;
  if (errors > 0)
    return failed(
      'tools',
      `${length} can be called, ${plural(errors, 'thing is', 'things are')} broken`,
      `${pegboard} lint, ${pegboard} tools`,
    );
  return length === 0
    ? warning('tools', 'there are none', `${pegboard} new tool NAME`)
    : ok('tools', `${length} can be called`);
}
