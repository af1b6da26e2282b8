import type { Deliver } from '../api/channel.ts';
import type { Logger } from '../api/log.ts';
import type { StoredQuestions } from '../store/owner/questions.ts';
import { terminalChat } from '../dispatch/chat-of-call.ts';

/** Reports at the terminal which questions were lost with the process that asked them. Never rejects. */
export async function reportLostQuestions({
  questions,
  deliver,
  log,
}: {
  readonly questions: StoredQuestions;
  readonly deliver: Deliver;
  readonly log: Logger;
}): Promise<void> {
  try {
    for (const { id, tool, asker } of await questions.takeLost()) {
      const text = `Pegboard was stopped while it asked whether ${tool} may run (question ${id}, ${asker}). It was not run; where the conversation goes on, it is asked again.`;
      await deliver(terminalChat, { text });
    }
  } catch (cause) {
    log.warn('open questions of processes that are gone could not be told', { cause });
  }
}
