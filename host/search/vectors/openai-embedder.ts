import { fetchAtOrigin, RedirectedElsewhere } from '../../core/http/fetch-at-origin.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, PegboardError } from '../../core/errors.ts';
import type { Embedder } from './embedder.ts';
import { parseJson } from '../../core/documents/written-numbers.ts';

/** A server with OpenAI's `/embeddings` API: OpenAI, OpenRouter, Ollama, LM Studio, vLLM. */
export interface EmbeddingsEndpoint {
  readonly model: string;
  /** Without `/embeddings`. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly headers?: { readonly [name: string]: string };
}

export interface EmbedderLimits {
  /** Of one request. */
  readonly timeoutMs: number;
  /** Maximum number of requests for one batch. */
  readonly attempts: number;
  /** Before the second request; each further delay is twice as long. */
  readonly firstDelayMs: number;
  /** A server that asks for a longer delay is not retried. */
  readonly maxDelayMs: number;
}

const defaultLimits: EmbedderLimits = {
  timeoutMs: 30_000,
  attempts: 4,
  firstDelayMs: 500,
  maxDelayMs: 60_000,
};

/** Texts of one request. */
const batchSize = 100;

/** Payment for one request. Disposing it without `settle` means that there was no response. */
interface EmbeddingsPayment extends AsyncDisposable {
  settle(usage: { readonly input: number; readonly output: 0; readonly cost?: number }): Promise<void>;
}

/** Called before each request. Throws PEG_LIMIT when a cap is reached, and the signal's reason. */
export type PayForEmbeddings = (model: string, signal: AbortSignal) => Promise<EmbeddingsPayment>;

/** Retries after 429, 5xx and failed connections, with the server's Retry-After or exponential delays. */
export function createOpenAiEmbedder(
  endpoint: EmbeddingsEndpoint,
  { pay, ...limits }: Partial<EmbedderLimits> & { readonly pay?: PayForEmbeddings } = {},
): Embedder {
  const allLimits = { ...defaultLimits, ...limits };
  return {
    model: endpoint.model,
    async embed(texts, signal = new AbortController().signal) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += batchSize) {
        const some = texts.slice(start, start + batchSize);
        await using payment = await pay?.(endpoint.model, signal);
        const answer = await embedBatch(some, endpoint, allLimits, signal);
        await payment?.settle(answer.usage);
        vectors.push(...answer.vectors);
      }
      return vectors;
    },
  };
}

async function embedBatch(
  texts: readonly string[],
  endpoint: EmbeddingsEndpoint,
  limits: EmbedderLimits,
  signal: AbortSignal,
): Promise<Embedded> {
  for (let attempt = 1; ; attempt++) {
    const answer = await ask(texts, endpoint, limits, signal);
    if ('vectors' in answer) return answer;
    if (signal.aborted) throw cancelled(endpoint);
    const wait = answer.retryAfterMs ?? limits.firstDelayMs * 2 ** (attempt - 1);
    if (!answer.mayHelp || attempt >= limits.attempts || wait > limits.maxDelayMs) throw answer.error;
    await sleep(wait, undefined, { signal }).catch(() => {
      throw cancelled(endpoint);
    });
  }
}

interface Embedded {
  readonly vectors: readonly Float32Array[];
  readonly usage: Parameters<EmbeddingsPayment['settle']>[0];
}

type Answer =
  | Embedded
  /** `mayHelp`: whether a retry may help. */
  | { readonly error: PegboardError; readonly mayHelp: boolean; readonly retryAfterMs?: number };

async function ask(
  texts: readonly string[],
  { model, baseUrl, apiKey, headers }: EmbeddingsEndpoint,
  { timeoutMs }: EmbedderLimits,
  signal: AbortSignal,
): Promise<Answer> {
  const url = `${baseUrl.replace(/\/+$/, '')}/embeddings`;
  const unavailable = (why: string): PegboardError =>
    new PegboardError('PEG_MODEL_UNAVAILABLE', `No embeddings from ${url} (model ${model}): ${why}`);
  try {
    const response = await fetchAtOrigin(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        ...headers,
      },
      body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const body = await response.text();
    if (response.ok) return toVectors(body, texts.length, unavailable);
    const why = `${response.status} ${reasonIn(body)}`.trim();
    if (response.status !== 429 && response.status < 500) {
      const message = `${url} refuses embeddings with model ${model}: ${why}. Check models.embeddings, EMBEDDING_MODEL and the key.`;
      return { error: new PegboardError('PEG_MODEL_REFUSED', message), mayHelp: false };
    }
    const retryAfterMs = millisecondsIn(response.headers.get('retry-after'));
    return { error: unavailable(why), mayHelp: true, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  } catch (cause) {
    return { error: unavailable(whyNot(cause)), mayHelp: !(cause instanceof RedirectedElsewhere) };
  }
}

function toVectors(body: string, count: number, unavailable: (why: string) => PegboardError): Answer {
  const answer = toJson(body);
  const vectors = readEmbeddings(answer, count);
  if (vectors) return { vectors, usage: usageIn(answer) };
  return { error: unavailable(`the answer does not contain ${count} embeddings.`), mayHelp: false };
}

/** Undefined for invalid JSON. */
function toJson(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

/** Tokens as reported by the provider; some also report the cost. */
function usageIn(answer: unknown): Embedded['usage'] {
  const { usage } = answer as {
    readonly usage?: {
      readonly prompt_tokens?: unknown;
      readonly total_tokens?: unknown;
      readonly cost?: unknown;
    };
  };
  const input = usage?.prompt_tokens ?? usage?.total_tokens;
  return {
    input: typeof input === 'number' ? input : 0,
    output: 0,
    ...(typeof usage?.cost === 'number' && { cost: usage.cost }),
  };
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
function millisecondsIn(retryAfterMs: string | null): number | undefined {
  if (retryAfterMs === null) return undefined;
  const seconds = Number(retryAfterMs);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(retryAfterMs) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** fetch says "fetch failed" and keeps the reason inside. */
function whyNot(cause: unknown): string {
  const inner = cause instanceof Error ? cause.cause : undefined;
  return inner instanceof Error ? `${messageOf(inner)}.` : messageOf(cause);
}

const cancelled = ({ model }: EmbeddingsEndpoint): PegboardError =>
  new PegboardError('PEG_CANCELLED', `The request for embeddings from ${model} was cancelled.`);

/** The vectors in a response of `/embeddings`, in the order of the texts; `undefined` unless all are there. */
function readEmbeddings(answer: unknown, count: number): readonly Float32Array[] | undefined {
  const vectors: Float32Array[] = [];
  for (const [place, item] of itemsOf(answer).entries()) {
    const { index, embedding } = item as { readonly index?: unknown; readonly embedding?: unknown };
    const vector = toVector(embedding);
    if (vector) vectors[typeof index === 'number' ? index : place] = vector;
  }
  const length = vectors[0]?.length;
  const isWhole =
    vectors.length === count && Array.from(vectors).every((vector) => vector?.length === length);
  return isWhole ? vectors : undefined;
}

function itemsOf(answer: unknown): readonly object[] {
  const { data } = (answer ?? {}) as { readonly data?: unknown };
  return Array.isArray(data) ? data.filter((item) => typeof item === 'object' && item !== null) : [];
}

/** An array of numbers, or base64 of their bytes, which some servers always send. */
function toVector(embedding: unknown): Float32Array | undefined {
  if (Array.isArray(embedding)) {
    return embedding.length > 0 && embedding.every((value) => typeof value === 'number')
      ? Float32Array.from(embedding)
      : undefined;
  }
  if (typeof embedding !== 'string') return undefined;
  const bytes = Uint8Array.from(Buffer.from(embedding, 'base64'));
  return bytes.length > 0 && bytes.length % 4 === 0 ? new Float32Array(bytes.buffer) : undefined;
}
