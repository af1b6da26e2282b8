import { untilAborted } from '../../../core/async/deadline.ts';
import type { RedirectListener } from './redirect-listener.ts';
import type { ReadAddress } from '../mcp-source.ts';

/**
 * The query with which the authorization server sent the browser back, whether the browser or the user delivers it.
 * Throws the signal's reason.
 */
export async function returnedAnswer(
  listener: Pick<RedirectListener, 'url' | 'returned'>,
  state: string,
  readAddress: ReadAddress | undefined,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  if (!readAddress) return untilAborted(listener.returned, signal);
  const ended = new AbortController();
  const reading = readAnswer(listener.url, state, readAddress, AbortSignal.any([signal, ended.signal]));
  reading.catch(() => {}); // The browser may have been faster.
  try {
    const pasted = reading.then((answer) => answer ?? listener.returned);
    return await untilAborted(Promise.race([listener.returned, pasted]), signal);
  } finally {
    ended.abort();
  }
}

async function readAnswer(
  redirect: string,
  state: string,
  readAddress: ReadAddress,
  signal: AbortSignal,
): Promise<URLSearchParams | undefined> {
  let problem: string | undefined;
  for (;;) {
    const address = await readAddress(problem, signal);
    if (address === undefined || signal.aborted) return undefined;
    const answer = answerIn(address.trim(), redirect, state);
    if (typeof answer !== 'string') return answer;
    problem = answer;
  }
}

/** The query of the address, or why it isn't the one of this login. */
function answerIn(address: string, redirect: string, state: string): URLSearchParams | string {
  const url = URL.parse(address);
  if (!url) return `That is not an address. The address begins with ${redirect}?`;
  if (`${url.origin}${url.pathname}` !== redirect) {
    return `That is not the return address of this login. Complete the sign-in on the page above: the address then begins with ${redirect}?`;
  }
  const answer = url.searchParams;
  if (answer.get('state') !== state) {
    return 'That address belongs to another login: its state differs. Open the address above again, and paste the complete address at which it ends.';
  }
  if (!answer.has('code') && !answer.has('error'))
    return 'There is no code in that address. Paste the complete address.';
  return answer;
}
