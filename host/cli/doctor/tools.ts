import { pegboard } from '../../core/own-command.ts';
import type { Check } from '../../api/diagnostic.ts';
import type { Host } from '../../host.ts';
import { failed, ok, warning } from '../../status/check.ts';

export function checkTools(host: Host): Check {
  const { size } = host.registry.snapshot.tools;
  const errors = host.diagnostics.filter(({ severity }) => severity === 'error').length;
  if (errors > 0)
    return failed(
      'tools',
      `${size} work, ${errors} thing${errors === 1 ? ' is' : 's are'} broken`,
      `${pegboard} lint, ${pegboard} tools`,
    );
  return size === 0
    ? warning('tools', 'there are none', `${pegboard} new tool NAME`)
    : ok('tools', `${size} registered`);
}
