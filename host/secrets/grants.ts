import type { RegisteredTool } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import type { Host } from '../host.ts';
import { fingerprintOf } from '../tools/fingerprint.ts';
import type { Grant } from './described-secret.ts';

/** Says of each tool what holds now. */
export function openGrants({
  approvals,
  config,
}: Pick<Host, 'approvals' | 'config'>): (tool: RegisteredTool) => Grant {
  const given = new Map(approvals.list().map(({ tool, fingerprint }) => [tool, fingerprint]));
  return (tool) => {
    if (config.confirm === 'never') return 'never asks';
    const fingerprint = given.get(tool.id);
    if (fingerprint === undefined) return 'asks';
    return fingerprint === fingerprintOf(tool) ? 'given' : 'changed';
  };
}

/** Lets the tool use the secrets that its manifest names. Returns what holds now. Throws PEG_USAGE when it names none. */
export async function grantSecrets(
  tool: RegisteredTool,
  { approvals }: Pick<Host, 'approvals'>,
): Promise<string> {
  const secrets = tool.secrets?.() ?? [];
  if (secrets.length === 0)
    throw new PegboardError(
      'PEG_USAGE',
      `${tool.id} needs no approval: it is not pending, and its manifest names no secret.`,
    );
  await approvals.approve(tool.id, fingerprintOf(tool));
  return `${tool.id} gets ${secrets.join(', ')} without asking, until its manifest changes`;
}

/** Returns what holds now. */
export async function revokeTool(id: string, { approvals }: Pick<Host, 'approvals'>): Promise<string> {
  await approvals.revoke(id);
  return `${id} asks again before it runs.`;
}
