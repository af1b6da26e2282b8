import { messageOf, PegboardError } from '../../core/errors.ts';
import { asSentence } from '../../core/text/as-sentence.ts';
import { withoutEscapeSequences } from '../../core/foreign/escape-sequences.ts';
import { RedirectedElsewhere } from '../../core/http/fetch-at-origin.ts';
import type { IdleTimeouts } from './idle-timer.ts';
import { tooLongIn, type TooLong } from './wire/too-long.ts';

/** `data` of PEG_MODEL_UNAVAILABLE and PEG_MODEL_REFUSED. */
export interface ModelFailureData {
  /** "openai/gpt-5" */
  readonly model: string;
  /** HTTP status; absent when there was no response. */
  readonly status?: number;
  /** Milliseconds, as asked by the provider. */
  readonly retryAfter?: number;
  /** The request exceeded the context window: a shorter one may be answered. */
  readonly tooLong?: TooLong;
  /** Without a status: there was no connection, no answer in time, or the answer ended early. */
  readonly connection?: 'none' | 'silent' | 'broken';
}

/** The useful fields of the SDK's errors, and of error chunks in a stream. */
interface ApiFailure {
  readonly status?: unknown;
  readonly code?: unknown;
  readonly headers?: { get?(name: string): string | null };
  readonly cause?: unknown;
}

/** Statuses that are worth a retry, besides every 5xx. */
const transient = new Set([408, 409, 425, 429]);
/** A 429 with these words is not worth a retry. */
export const quotaExhausted = /insufficient_quota|billing|credit|exceeded your current quota/i;

/** Converts any failure of a request into an error that says whether a retry may help. */
export function toModelError(thrown: unknown, model: string): PegboardError {
  if (thrown instanceof PegboardError) return thrown;
  const failure = (thrown ?? {}) as ApiFailure;
  const status = statusOf(failure);
  const elsewhere = causesOf(thrown).find((cause) => cause instanceof RedirectedElsewhere);
  if (elsewhere) return refused(redirectedMessage(model, elsewhere.to), { model }, thrown);
  const retryAfter = retryAfterOf(failure.headers);
  const message = describeFailure(thrown, failure, status);
  const tooLong = tooLongIn(status, `${String(failure.code)} ${message}`);
  const data: ModelFailureData = {
    model,
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(tooLong && { tooLong }),
  };
  if (tooLong) return refused(`${model} refused the request: ${asSentence(message)}`, data, thrown);
  // It has answered, but not with what was asked for.
  if (status === undefined && causesOf(thrown).some((cause) => cause instanceof SyntaxError))
    return unavailable(
      `${model} sent an answer that is not JSON: ${asSentence(message)}`,
      { ...data, connection: 'broken' },
      thrown,
    );
  if (status === undefined) {
    return unavailable(
      `${model} could not be reached: ${asSentence(message)}`,
      { ...data, connection: 'none' },
      thrown,
    );
  }
  if (
    status >= 500 ||
    (transient.has(status) && !quotaExhausted.test(`${String(failure.code)} ${message}`))
  ) {
    return unavailable(`${model} answered ${status}: ${asSentence(message)}`, data, thrown);
  }
  const hint = hints[status] ?? '';
  const words = message.replace(/[.!]?$/, '.');
  return refused(`${model} refused the request (${status}): ${words}${hint}`, data, thrown);
}

/** `who`: "openai/gpt-5" or "openai (https://api.openai.com/v1)"; begins with the provider's id. */
export function redirectedMessage(who: string, to: string): string {
  const [id = ''] = who.split(/[/ ]/, 1);
  const base = to.replace(/\/(?:chat\/completions|messages|models)$/, '');
  return `${who} redirects to another server, ${to}, which was sent nothing. If you trust that one, use its address as the base_url of ${id}: ${base}`;
}

const refused = (message: string, data: ModelFailureData, cause: unknown): PegboardError =>
  new PegboardError('PEG_MODEL_REFUSED', message, { cause, data });

export function unavailable(message: string, data: ModelFailureData, cause?: unknown): PegboardError {
  return new PegboardError('PEG_MODEL_UNAVAILABLE', message, { data, ...(cause !== undefined && { cause }) });
}

const hints: { readonly [status: number]: string } = {
  401: ' Check the key of this provider.',
  402: ' The account has no credit left.',
  403: ' This key is not allowed to use the model.',
  404: ' Check the name of the model and the base_url.',
};

/** OpenRouter sends the status of a mid-stream failure as `code`. */
function statusOf({ status, code }: ApiFailure): number | undefined {
  if (typeof status === 'number') return status;
  const number = Number(code);
  return number >= 400 && number < 600 ? number : undefined;
}

/** The provider's message, in one line of at most 400 characters. */
function describeFailure(thrown: unknown, { cause }: ApiFailure, status: number | undefined): string {
  const said = messageOf(thrown).replace(new RegExp(`^${status} `), '');
  const why = cause instanceof Error ? ` (${deepestReason(cause)})` : '';
  const line = withoutEscapeSequences(`${said}${why}`)
    .replaceAll(/\s+/g, ' ')
    .replace(/[. ]+$/, '');
  return line.length > 400 ? `${line.slice(0, 400)}…` : line;
}

function causesOf(error: unknown): readonly unknown[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/** fetch says "fetch failed" and keeps ECONNREFUSED in a cause of a cause. */
export function deepestReason(error: unknown): string {
  let last = error instanceof Error ? error : new Error(messageOf(error));
  while (last.cause instanceof Error) last = last.cause;
  return (last as NodeJS.ErrnoException).code ?? messageOf(last);
}

/** RFC 9110: seconds or a date; OpenAI also sends milliseconds. */
function retryAfterOf(headers: ApiFailure['headers']): number | undefined {
  const exact = Number(headers?.get?.('retry-after-ms') ?? Number.NaN);
  if (exact >= 0) return exact;
  const text = headers?.get?.('retry-after');
  if (text === null || text === undefined || text === '') return undefined;
  const wait = /^[\d.]+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

export const cancelled = (id: string): PegboardError =>
  new PegboardError('PEG_CANCELLED', `The request to ${id} was cancelled.`);

export const timedOut = (id: string, { firstMs, nextMs }: IdleTimeouts, started: boolean): PegboardError =>
  unavailable(
    started
      ? `${id} stopped in the middle of its response and sent nothing for ${nextMs / 1000} s.`
      : `${id} gave no answer within ${firstMs / 1000} s.`,
    { model: id, connection: 'silent' },
  );

export const interrupted = (id: string, why: string, cause?: unknown): PegboardError =>
  unavailable(
    `The answer of ${id} broke off: ${asSentence(why)}`,
    { model: id, connection: 'broken' },
    cause,
  );
