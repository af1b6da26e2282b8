import { pegboard } from 'pegboard';
import { ChannelFailure } from 'pegboard/channels';

/** How a call to Telegram failed. */
export type Failure =
  /** A 4xx response. */
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  /** A 429 response, with the seconds to wait. */
  | { readonly kind: 'busy'; readonly seconds: number; readonly reason: string }
  /** A 5xx response, or no connection: the call had no effect. */
  | { readonly kind: 'down'; readonly status?: number; readonly reason: string }
  /** The connection broke or hung: the call may have taken effect. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Error codes of connections that were not established. */
const neverReached = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
]);

/** Node's messages for connections that broke before the request was written. */
const beforeTheRequest = /reason: connect |before secure TLS connection/;

/** Recognises grammY's GrammyError and HttpError by their shape, without loading the library. */
export function failureOf(thrown: unknown): Failure {
  const { error_code: status, description, parameters, error } = thrown as ThrownByGrammy;
  if (typeof status === 'number') {
    const reason = description ?? `status ${status}`;
    if (status === 429) return { kind: 'busy', seconds: parameters?.retry_after ?? 1, reason };
    return status >= 500 ? { kind: 'down', status, reason } : { kind: 'refused', status, reason };
  }
  const code = error?.code;
  const reason = code ?? (thrown instanceof Error ? thrown.message : String(thrown));
  const isNotSent =
    (code !== undefined && neverReached.has(code)) || beforeTheRequest.test(error?.message ?? '');
  return { kind: isNotSent ? 'down' : 'unknown', reason };
}

const fix = `get the token from @BotFather, then: ${pegboard} secret set TELEGRAM_BOT_TOKEN (a variable of this name in the environment comes first)`;

/** For a token that Telegram need not be asked about. */
export const malformedToken = {
  message:
    "can't be used: TELEGRAM_BOT_TOKEN is not a token that @BotFather gives, such as 123456:ABC-DEF1234",
  fix,
} as const;

/** What keeps the bot from receiving messages, after "Telegram", and what its owner can do. */
export function inWords(failure: Failure): { readonly message: string; readonly fix?: string } {
  if (failure.kind === 'busy') return { message: `asks to wait ${failure.seconds} s` };
  if (failure.kind === 'down' && failure.status !== undefined)
    return {
      message: `has a problem of its own: it answered ${failure.status} (${failure.reason})`,
      fix: 'try again later, and check TELEGRAM_API_ROOT if it is set',
    };
  if (failure.kind !== 'refused')
    return {
      message: `can't be reached (${failure.reason})`,
      fix: 'check the network, and TELEGRAM_API_ROOT if it is set',
    };
  if (failure.status === 401 || failure.status === 404)
    return {
      message: 'does not know this TELEGRAM_BOT_TOKEN',
      fix,
    };
  if (failure.status === 409)
    return {
      message: 'gives the messages of this bot to another program',
      fix: 'stop that one, or give it a bot of its own',
    };
  return { message: `refused: ${failure.reason}` };
}

/** Calls a method of Telegram. Throws a ChannelFailure. */
export async function callTelegram<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    const failure = failureOf(cause);
    const kind = failure.kind === 'down' ? 'notSent' : failure.kind;
    const seconds = failure.kind === 'busy' && { seconds: failure.seconds };
    throw new ChannelFailure(kind, failure.reason, { cause, ...seconds });
  }
}

export const isRefusal = (thrown: unknown, words: string): boolean =>
  thrown instanceof ChannelFailure && thrown.kind === 'refused' && thrown.message.includes(words);

interface ThrownByGrammy {
  readonly error_code?: number;
  readonly description?: string;
  readonly parameters?: { readonly retry_after?: number };
  readonly error?: { readonly code?: string; readonly message?: string };
}
