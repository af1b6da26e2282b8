import { parseJson } from 'pegboard';
import { auditFileOf, type AuditLine } from 'pegboard/home';
import { endOf, followLines, lastLines } from 'pegboard/kit';
import type { CallRow } from '../wire.ts';

/** Calls that ended before, oldest first, of every process of the home. */
export const lastCalls = (home: string, count: number): readonly CallRow[] =>
  lastLines(auditFileOf(home), count, () => true).flatMap(toRow);

/**
 * Calls that ended at `since` (epoch milliseconds) or later, oldest first: `max` at most, and how many there were before
 * them.
 */
export function callsSince(
  home: string,
  since: number,
  max: number,
): { readonly rows: readonly CallRow[]; readonly before: number } {
  const isSince = (row: CallRow): boolean => endedAt(row) >= since;
  const last = lastCalls(home, max);
  const rows = last.filter(isSince);
  if (rows.length < last.length || last.length < max) return { rows, before: 0 };
  return { rows, before: lastCalls(home, Infinity).filter(isSince).length - rows.length };
}

const endedAt = ({ at, ms = 0, waitedMs = 0 }: CallRow): number => at + ms + waitedMs;

/** Calls that end from now on in any process of the home, within a quarter of a second. */
export function followCalls(home: string, onCall: (row: CallRow) => void): Disposable {
  const path = auditFileOf(home);
  return followLines(path, endOf(path), (line) => toRow(line).forEach(onCall));
}

/** A line that a crash cut off is none. */
function toRow(line: string): readonly CallRow[] {
  let read: Partial<AuditLine>;
  try {
    read = parseJson(line) as Partial<AuditLine>;
  } catch {
    return [];
  }
  const { id, at, tool, caller, agent, within, turn, ms = 0, waitedMs, outcome, by } = read;
  if (id === undefined || at === undefined || tool === undefined || caller === undefined) return [];
  const ended = Date.parse(at);
  if (Number.isNaN(ended)) return [];
  const parent = within ?? turn;
  return [
    {
      id,
      tool,
      caller,
      at: ended - ms - (waitedMs ?? 0),
      ms,
      elsewhere: true,
      ...(agent !== undefined && { agent }),
      ...(parent !== undefined && { within: parent }),
      ...(waitedMs !== undefined && { waitedMs }),
      ...(outcome !== undefined && { outcome }),
      ...(by !== undefined && { by }),
    },
  ];
}
