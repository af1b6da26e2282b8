import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson } from '../documents/written-numbers.ts';
import { messageOf, PegboardError } from '../errors.ts';
import { fetchAtOrigin, RedirectedElsewhere } from './fetch-at-origin.ts';
import { asSentence } from '../text/as-sentence.ts';

export interface PostLimits {
  /** Of one request. */
  readonly timeoutMs: number;
  /** Maximum number of requests. */
  readonly attempts: number;
  /** Before the second request; each further delay is twice as long. */
  readonly firstDelayMs: number;
  /** A server that asks for a longer delay is not retried. */
  readonly maxDelayMs: number;
}

export interface Post<Answer> {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | FormData;
  /** Reads an answer with a status of success. A PegboardError that it throws is final. */
  readonly read: (response: Response) => Promise<Answer>;
  /** What is thrown: when the server doesn't answer as it should, refuses the request, or `signal` aborts. */
  readonly errors: {
    readonly unavailable: (why: string) => PegboardError;
    readonly refused: (why: string) => PegboardError;
    readonly cancelled: () => PegboardError;
  };
}

type Outcome<Answer> =
  | { readonly answer: Answer }
  /** `mayHelp`: whether a retry may help. */
  | { readonly error: PegboardError; readonly mayHelp: boolean; readonly retryAfterMs?: number };

/**
 * Asks the server of a model, and again after 429, 5xx and failed connections, with the server's Retry-After or
 * exponential delays. Redirects are followed as by `fetchAtOrigin`.
 */
export async function postRetrying<Answer>(
  post: Post<Answer>,
  limits: PostLimits,
  signal: AbortSignal,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await send(post, limits, signal);
    if ('answer' in outcome) return outcome.answer;
    if (signal.aborted) throw post.errors.cancelled();
    const wait = outcome.retryAfterMs ?? limits.firstDelayMs * 2 ** (attempt - 1);
    if (!outcome.mayHelp || attempt >= limits.attempts || wait > limits.maxDelayMs) throw outcome.error;
    await sleep(wait, undefined, { signal }).catch(() => {
      throw post.errors.cancelled();
    });
  }
}

async function send<Answer>(
  { url, headers, body, read, errors }: Post<Answer>,
  { timeoutMs }: PostLimits,
  signal: AbortSignal,
): Promise<Outcome<Answer>> {
  try {
    const response = await fetchAtOrigin(url, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (response.ok) return { answer: await read(response) };
    const why = `${response.status} ${reasonIn(await response.text())}`.trim();
    if (response.status !== 429 && response.status < 500)
      return { error: errors.refused(why), mayHelp: false };
    const retryAfterMs = millisecondsIn(response.headers.get('retry-after'));
    return {
      error: errors.unavailable(why),
      mayHelp: true,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  } catch (cause) {
    if (cause instanceof PegboardError) return { error: cause, mayHelp: false };
    return { error: errors.unavailable(whyNot(cause)), mayHelp: !(cause instanceof RedirectedElsewhere) };
  }
}

const maxReasonLength = 200;

/** The message of OpenAI's `{ error: { message } }`, or the text itself. */
function reasonIn(body: string): string {
  try {
    const { error } = parseJson(body) as { readonly error?: { readonly message?: unknown } | string };
    const message = typeof error === 'string' ? error : error?.message;
    if (typeof message === 'string') return message.slice(0, maxReasonLength);
  } catch {
    // Not JSON, perhaps a proxy's error page: its beginning is used.
  }
  return body.replace(/\s+/g, ' ').slice(0, maxReasonLength);
}

/** Seconds or a date. */
function millisecondsIn(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const seconds = Number(retryAfter);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** fetch says "fetch failed" and keeps the reason inside. */
function whyNot(cause: unknown): string {
  const inner = cause instanceof Error ? cause.cause : undefined;
  return inner instanceof Error ? asSentence(messageOf(inner)) : messageOf(cause);
}
