import type { CallRow, OpenQuestionRow } from '../../wire.ts';

/**
 * The calls that wait for a person: for each open question the last call of its tool that began before it was asked and
 * has not ended.
 */
export function waitingCalls(
  calls: readonly Pick<CallRow, 'id' | 'tool' | 'at' | 'outcome'>[],
  questions: readonly Pick<OpenQuestionRow, 'tool' | 'askedAt'>[],
): ReadonlySet<string> {
  const waiting = new Set<string>();
  const inOrder = questions.toSorted((a, b) => (a.askedAt < b.askedAt ? 1 : -1));
  for (const { tool, askedAt } of inOrder) {
    const call = calls.findLast(
      (one) =>
        one.outcome === undefined &&
        one.tool === tool &&
        one.at <= Date.parse(askedAt) &&
        !waiting.has(one.id),
    );
    if (call) waiting.add(call.id);
  }
  return waiting;
}

/** "ok", the code of the failure, or what a call without an outcome does. */
export const outcomeOf = (
  { id, outcome }: Pick<CallRow, 'id' | 'outcome'>,
  waiting: ReadonlySet<string>,
): string => outcome ?? (waiting.has(id) ? 'waits' : 'runs');
