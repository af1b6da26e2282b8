import type { Ask } from '../../api/ask.ts';

/** Asks questions one at a time: concurrent tools may ask at once, but a person answers one after the other. */
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
