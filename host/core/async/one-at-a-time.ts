import type { Ask } from '../../api/ask.ts';

/** Tools that run side by side may ask at the same time, and a person answers one question after the other. */
export function oneAtATime(ask: Ask): Ask {
  let last: Promise<unknown> = Promise.resolve();
  return (question, signal) => {
    const answer = last.then(() => {
      signal.throwIfAborted();
      return ask(question, signal);
    });
    last = answer.catch(() => {});
    return answer;
  };
}
