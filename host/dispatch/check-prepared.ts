import type { Prepared, Tool } from '../api/tool.ts';
import { unknownMembers, type MembersOf } from '../core/documents/unknown-members.ts';
import { PegboardError } from '../core/errors.ts';

const preparedMembers: MembersOf<Prepared> = {
  preview: true,
  cwd: true,
  confinement: true,
  sensitive: true,
  confirm: true,
  subject: true,
  isFree: true,
  outOfReach: true,
  discloses: true,
  allowances: true,
  timeout: true,
  plan: true,
};

/**
 * Refuses a result of `prepare` with an unknown member. A misspelled one, such as `discloses`, would otherwise skip a
 * question without anybody noticing.
 */
export function checkPrepared(tool: Tool, prepared: Prepared): void {
  const [unknown] = unknownMembers(prepared, preparedMembers);
  if (!unknown) return;
  const { name, nearest } = unknown;
  const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
  throw new PegboardError(
    'PEG_TOOL_FAILED',
    `"prepare" of the tool ${tool.name} returned an unknown member "${name}"${hint}`,
  );
}
