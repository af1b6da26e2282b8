import { untilAborted } from '../../../core/async/deadline.ts';
import type { RedirectListener } from './redirect-listener.ts';
import type { ReadAddress } from '../mcp-source.ts';

/** What the authorization server sent the browser back with, however it gets here. Throws the signal's reason. */
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
  if (!url) return `That is not an address. It begins with ${redirect}?`;
  if (`${url.origin}${url.pathname}` !== redirect) {
    return `That is not where this login comes back to. Sign in on the page above to the end: the address then begins with ${redirect}?`;
  }
  const answer = url.searchParams;
  if (answer.get('state') !== state) {
    return 'That address is of another login: its state is not that of this one. Open the address above once more, and paste the one that it ends at, whole.';
  }
  if (!answer.has('code') && !answer.has('error'))
    return 'There is no code in that address. Paste it whole, to the end.';
  return answer;
}
