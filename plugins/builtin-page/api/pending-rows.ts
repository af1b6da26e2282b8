import { hash } from 'node:crypto';
import type { Host } from 'pegboard/embed';
import { approveCommand, type PendingApproval, pendingAtServers } from 'pegboard/home';
import type { PendingRow } from '../wire.ts';

export const pendingRows = (all: readonly PendingApproval[], host: Host): readonly PendingRow[] =>
  all.flatMap((pending) => readable(pending, host));

/** What is pending at one MCP server. */
export const pendingRowOf = (server: string, host: Host): PendingRow | undefined =>
  pendingRows(
    pendingAtServers(host).filter(({ id }) => id === server),
    host,
  )[0];

/** Identifies what is shown, so that an approval is for this alone. */
export const shownIn = (id: string, detail: string): string => hash('sha256', `${id}\0${detail}`);

/** One that can't be read, such as a folder without permissions, does not hide the others. */
function readable(pending: PendingApproval, host: Host): readonly PendingRow[] {
  try {
    return [toRow(pending)];
  } catch (cause) {
    host.log.warn(`${pending.id} is pending approval, but could not be read`, { cause });
    return [];
  }
}

function toRow(pending: PendingApproval): PendingRow {
  const { id, what } = pending;
  const { question, detail, isComplete, warnings } = pending.review();
  return {
    id,
    what,
    question,
    detail,
    isComplete,
    command: approveCommand(pending),
    warnings,
    shown: shownIn(id, detail),
  };
}
