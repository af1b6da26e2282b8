import { asSentence, PegboardError, toJson } from 'pegboard';
import {
  type EmbeddingsEndpoint,
  type EmbeddingsPayment,
  parsedJson,
  type PayForEmbeddings,
  type PostLimits,
  postRetrying,
} from 'pegboard/kit';
import type { Embedder } from './embedder.ts';

const defaultLimits: PostLimits = {
  timeoutMs: 30_000,
  attempts: 4,
  firstDelayMs: 500,
  maxDelayMs: 60_000,
};

/** Texts of one request. */
const batchSize = 100;

/** Retries after 429, 5xx and failed connections, with the server's Retry-After or exponential delays. */
export function createOpenAiEmbedder(
  endpoint: EmbeddingsEndpoint,
  { pay, ...limits }: Partial<PostLimits> & { readonly pay?: PayForEmbeddings } = {},
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

interface Embedded {
  readonly vectors: readonly Float32Array[];
  readonly usage: Parameters<EmbeddingsPayment['settle']>[0];
}

async function embedBatch(
  texts: readonly string[],
  { model, baseUrl, apiKey, headers }: EmbeddingsEndpoint,
  limits: PostLimits,
  signal: AbortSignal,
): Promise<Embedded> {
  const url = `${baseUrl.replace(/\/+$/, '')}/embeddings`;
  const unavailable = (why: string): PegboardError =>
    new PegboardError('PEG_MODEL_UNAVAILABLE', `No embeddings from ${url} (model ${model}): ${why}`);
  const post = {
    url,
    headers: {
      'content-type': 'application/json',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...headers,
    },
    body: toJson({ model, input: texts, encoding_format: 'float' }),
    async read(response: Response): Promise<Embedded> {
      const answer = parsedJson(await response.text());
      const vectors = readEmbeddings(answer, texts.length);
      if (!vectors) throw unavailable(`the answer does not contain ${texts.length} embeddings.`);
      return { vectors, usage: usageIn(answer) };
    },
    errors: {
      unavailable,
      refused: (why: string) =>
        new PegboardError(
          'PEG_MODEL_REFUSED',
          `${url} refuses embeddings with model ${model}: ${asSentence(why)} Check models.embeddings, EMBEDDING_MODEL and the key.`,
        ),
      cancelled: () =>
        new PegboardError('PEG_CANCELLED', `The request for embeddings from ${model} was cancelled.`),
    },
  };
  return await postRetrying(post, limits, signal);
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
