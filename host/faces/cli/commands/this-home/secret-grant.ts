import { PegboardError } from '../../../../core/errors.ts';
import { fingerprintOf } from '../../../../tools/fingerprint.ts';
import type { Run } from '../../command.ts';
import { getTool } from '../../find-tool.ts';

export const run: Run = async (context) => {
  const host = await context.openHost({ mcp: 'off' });
  const tool = await getTool(host, context.words[0]!, context);
  const secrets = tool.secrets?.() ?? [];
  if (secrets.length === 0)
    throw new PegboardError(
      'PEG_USAGE',
      `${tool.id} names no secret in its "environment": nothing to grant.`,
    );
  await host.approvals.approve(tool.id, fingerprintOf(tool));
  context.terminal.out.line(
    `${tool.id} gets ${secrets.join(', ')} without asking, until its manifest changes`,
  );
};
