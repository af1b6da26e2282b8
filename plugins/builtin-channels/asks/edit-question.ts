import { parseJson, type QuestionBlock, type StyledMessage } from 'pegboard';
import type { DriverParts } from '../driver-parts.ts';
import { findLost } from '../outgoing/lost-message.ts';
import { perform } from '../outgoing/perform.ts';
import type { StoredAsk } from './store.ts';
import { shownBlocks, withOutcome, type RendersQuestions } from './view.ts';

export type EditQuestionOptions = Pick<DriverParts, 'driver' | 'messages' | 'clock' | 'log'> & {
  readonly signal: AbortSignal;
};

/** Renders a stored question, with its outcome if there is one. */
export const shownAsk = (
  { blocks }: Pick<StoredAsk, 'blocks'>,
  driver: RendersQuestions,
  outcome?: string,
): StyledMessage => {
  const asked = parseJson(blocks) as readonly QuestionBlock[];
  return shownBlocks(outcome === undefined ? asked : withOutcome(asked, outcome), driver);
};

/** Returns a function that adds the outcome to a question's message and removes its buttons. */
export function createEditQuestion({
  driver,
  messages,
  signal,
  clock,
  log,
}: EditQuestionOptions): (ask: StoredAsk, outcome: string) => Promise<void> {
  /** Edits of one question run one after the other, so that the last outcome remains. */
  const running = new Map<string, Promise<void>>();

  const edit = async (ask: StoredAsk, outcome: string): Promise<void> => {
    const { message, mark, chat, topic } = ask;
    const text = shownAsk(ask, driver, outcome);
    const to = { chat, ...(topic !== null && { topic }) };
    if (message === null) {
      // The buttons that it had then distinguish it from other messages.
      const options = ask.choices === null ? { awaitsText: true } : {};
      if (mark !== null) await findLost({ to, mark, text, options }, { driver, messages, clock }, signal);
      return;
    }
    if (!driver.edit) return;
    await perform(() => driver.edit!(to, message, text, {}, signal), {
      signal,
      repeatable: true,
      clock,
    }).catch((cause: unknown) => log.debug('a question could not be edited', { cause }));
  };
  return async (ask, outcome) => {
    const last = running.get(ask.token) ?? Promise.resolve();
    const edited = last.then(() => edit(ask, outcome));
    running.set(ask.token, edited);
    await edited;
    if (running.get(ask.token) === edited) running.delete(ask.token);
  };
}
