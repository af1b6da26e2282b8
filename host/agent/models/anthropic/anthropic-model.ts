import type { Anthropic } from '@anthropic-ai/sdk';
import type { Model, ModelSettings } from '../../../api/model.ts';
import { withWritten } from '../../../core/documents/written-numbers.ts';
import { fetchAtOrigin } from '../../../core/http/fetch-at-origin.ts';
import { createProviderModel, type ProviderRequest } from '../provider-model.ts';
import { toConversation } from './messages.ts';
import { createAnthropicReplyReader } from './reply-reader.ts';

/**
 * Maximum tokens of an answer: the API requires a limit in each request. Models with a lower limit state it in their
 * error.
 */
const defaultMaxTokens = 16_384;

/**
 * A model of Anthropic, or of a server that speaks its Messages API; the base URL may end in "/v1". With prompt
 * caching. See `createProviderModel`.
 */
export function createAnthropicModel(options: ModelSettings): Model {
  const { id, name } = options;
  let client: Promise<Anthropic> | undefined;
  /** The model's own limit, as its server stated it. */
  let maxTokensOfModel = Infinity;

  const bodyOf = ({
    names,
    leavesOut,
    ...request
  }: ProviderRequest): Anthropic.MessageCreateParamsStreaming => {
    const { system, messages, tools } = toConversation(request, { toLegal: names.toLegal, leavesOut });
    return {
      model: name,
      max_tokens: Math.min(request.maxTokens ?? options.maxTokens ?? defaultMaxTokens, maxTokensOfModel),
      messages,
      stream: true,
      ...(system.length > 0 && { system }),
      ...(tools.length > 0 && { tools }),
      ...(options.temperature !== undefined && { temperature: options.temperature }),
    };
  };

  return createProviderModel(options, {
    attempt(request, onEvent) {
      const body = bodyOf(request);
      const reader = createAnthropicReplyReader(onEvent);
      return {
        async stream(signal, received) {
          const anthropic = await (client ??= connect(options));
          const stream = await anthropic.messages.create(withWritten(body), { signal, maxRetries: 0 });
          for await (const event of stream) if (reader.add(event)) received();
        },
        get started() {
          return reader.started;
        },
        end: () => reader.end(id),
      };
    },
    adapt({ message }) {
      const limit = maxTokensIn(message);
      if (limit === undefined || limit >= maxTokensOfModel) return false;
      maxTokensOfModel = limit;
      return true;
    },
    inItsWords,
  });
}

/** The package takes long to load: only a home that talks to Anthropic pays for it. */
async function connect({ baseUrl, apiKey, headers }: ModelSettings): Promise<Anthropic> {
  const { Anthropic: Client } = await import('@anthropic-ai/sdk');
  return new Client({
    baseURL: baseUrl.replace(/\/+$/, '').replace(/\/v1$/, ''),
    apiKey: apiKey ?? null,
    authToken: null,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    fetch: fetchAtOrigin,
    defaultHeaders: { ...(apiKey === undefined && { Authorization: null }), ...headers },
  });
}

/** "max_tokens: 16384 > 8192, which is the maximum allowed number of output tokens for …" */
function maxTokensIn(message: string): number | undefined {
  const limit = /max_tokens: \d+ > (\d+)/.exec(message)?.[1];
  return limit === undefined ? undefined : Number(limit);
}

interface ApiError {
  readonly status?: unknown;
  readonly headers?: unknown;
  /** `{"type": "error", "error": {"type": …, "message": …}}` */
  readonly error?: { readonly error?: { readonly type?: unknown; readonly message?: unknown } };
}

const isApiError = (thrown: unknown): thrown is ApiError =>
  thrown instanceof Error && 'error' in thrown && 'status' in thrown;

/** Statuses of errors that come in the middle of a stream, which has no status of its own. */
const statusOf: { readonly [type: string]: number } = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  overloaded_error: 529,
};

/** The SDK's message is the whole JSON of the answer. */
function inItsWords(thrown: unknown): unknown {
  if (!isApiError(thrown)) return thrown;
  const { type, message } = thrown.error?.error ?? {};
  if (typeof message !== 'string') return thrown;
  const status = thrown.status ?? statusOf[String(type)];
  return Object.assign(new Error(message), {
    ...(status !== undefined && { status }),
    headers: thrown.headers,
    code: type,
  });
}
