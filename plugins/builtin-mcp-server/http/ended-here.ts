import type { EndedSessions } from 'pegboard/serving';

const maxEnded = 10_000;

/** Ended sessions of one process, in its memory. */
export function endedHere(): EndedSessions {
  const ended = new Set<string>();
  return {
    async add(session) {
      if (ended.size >= maxEnded) ended.delete(ended.values().next().value!);
      ended.add(session);
    },
    has: async (session) => ended.has(session),
  };
}
