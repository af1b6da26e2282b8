import type { TurnContext } from '../api/conversation.ts';
import type { StoredJob } from '../store/jobs.ts';

/** Jobs that ended by themselves, until their conversations have heard of it. */
export interface FinishedJobs {
  /** `turn`: the one that started it; without one there is no conversation to tell. */
  add(job: StoredJob, turn: TurnContext | undefined): void;
  /** One line each; the next time they are not told again. */
  take(conversation: number): readonly string[];
}

export function createFinishedJobs(): FinishedJobs {
  const untold = new Map<number, string[]>();
  return {
    add({ id, tool, state }, turn) {
      if (!turn) return;
      const { id: conversation } = turn.conversation;
      const line = `Job ${id} (${tool}) is ${state}: background_run {"mode":"result","id":${id}} has what it returned`;
      untold.set(conversation, [...(untold.get(conversation) ?? []), line]);
    },
    take(conversation) {
      const lines = untold.get(conversation) ?? [];
      untold.delete(conversation);
      return lines;
    },
  };
}
