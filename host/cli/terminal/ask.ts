import type { AnsweredInstead, Ask } from '../../api/ask.ts';
import { AnsweredElsewhere } from '../../core/answered-elsewhere.ts';
import { createKeyedQueue } from '../../core/async/keyed-queue.ts';
import type { Spinner } from './progress.ts';
import { oneLine } from './safe.ts';
import type { Terminal } from './terminal.ts';
import { asSentence } from '../../core/text/as-sentence.ts';

/**
 * Asks the person at the terminal, on stderr. Undefined where there is nobody to ask: then confirmations are declined.
 * `above`: lines of the question that are shown already. Forms are loaded with the first question.
 */
export function createAsk(terminal: Terminal, waiting?: Spinner, above = 0): Ask | undefined {
  if (!terminal.interactive) return undefined;
  const ask: Ask = async (question, signal) => {
    const { err } = terminal;
    const tell = ({ message }: AnsweredInstead): void =>
      err.line(err.style.warning(asSentence(oneLine(message))));
    const { askInTerminal } = await import('./ask-in-terminal.ts');
    const answer = await askInTerminal(question, { terminal, signal }, above);
    if (signal.reason instanceof AnsweredElsewhere) tell(signal.reason);
    const by = answer.action === 'cancel' && { by: 'the person at the terminal' };
    return { ...answer, ...by, onLost: tell };
  };
  // Tools that run side by side may ask at the same time.
  const questions = createKeyedQueue();
  const inTurn: Ask = (question, signal) => questions.run('', () => ask(question, signal), signal);
  return waiting ? (question, signal) => waiting.hiddenFor(() => inTurn(question, signal)) : inTurn;
}
