import type { Anthropic } from '@anthropic-ai/sdk';
import type { Model, ModelEvent, ModelReply, ModelRequest, ModelSettings } from '../../../api/model.ts';
import { withWritten } from '../../../core/documents/written-numbers.ts';
import { messageOf, PegboardError } from '../../../core/errors.ts';
import { brokenOff, cancelled, timedOut, toModelError, type ModelFailureData } from '../failure.ts';
import { defaultIdleTimeouts, startIdleTimer } from '../idle-timer.ts';
import { createLegalNames } from '../wire/legal-names.ts';
import { toConversation } from './messages.ts';
import { createAnthropicReplyReader } from './reply-reader.ts';

/** Tokens of an answer: the API wants a limit in each request. Models that take less say how much. */
const defaultMaxTokens = 16_384;

/**
 * A model of Anthropic, or of a server that speaks its Messages API; the base URL may end in "/v1". One request a reply, streamed, with native tools and prompt caching. It doesn't try again: that is for withRetry.
 * Throws PEG_MODEL_UNAVAILABLE where trying again could help, PEG_MODEL_REFUSED where it couldn't, PEG_CANCELLED.
 */
export function createAnthropicModel(options: ModelSettings): Model {
  const { id, name, contextWindow, idleTimeouts = defaultIdleTimeouts } = options;
  let client: Promise<Anthropic> | undefined;
  /** What the server said that the model takes. */
  let maxTokensOfModel = Infinity;

  const attempt = async (
    request: ModelRequest,
    onEvent: (event: ModelEvent) => void,
  ): Promise<ModelReply> => {
    using timer = startIdleTimer(idleTimeouts, request.signal);
    const { toLegal, fromLegal } = createLegalNames(request.tools);
    const { system, messages, tools } = toConversation(request.messages, request.tools, toLegal);
    const reader = createAnthropicReplyReader(onEvent);
    try {
      const anthropic = await (client ??= connect(options));
      const body: Anthropic.MessageCreateParamsStreaming = {
        model: name,
        max_tokens: Math.min(request.maxTokens ?? options.maxTokens ?? defaultMaxTokens, maxTokensOfModel),
        messages,
        stream: true,
        ...(system.length > 0 && { system }),
        ...(tools.length > 0 && { tools }),
        ...(options.temperature !== undefined && { temperature: options.temperature }),
      };
      const stream = await anthropic.messages.create(withWritten(body), {
        signal: timer.signal,
        maxRetries: 0,
      });
      for await (const event of stream) if (reader.add(event)) timer.reset();
      // An aborted stream ends as if it were whole.
      timer.signal.throwIfAborted();
    } catch (thrown) {
      if (request.signal.aborted) throw cancelled(id);
      if (timer.expired) throw timedOut(id, idleTimeouts, reader.started);
      if (reader.started && !isApiError(thrown)) throw brokenOff(id, messageOf(thrown), thrown);
      throw toModelError(inItsWords(thrown), id);
    }
    const { reply, whole } = reader.end(id);
    if (!whole) throw brokenOff(id, 'it ended without saying why');
    return {
      ...reply,
      toolCalls: reply.toolCalls.map((call) => ({ ...call, name: fromLegal(call.name) })),
    };
  };

  return {
    id,
    contextWindow,
    nativeTools: true,
    maxTools: options.maxTools,
    async respond(request, onEvent) {
      if (request.signal.aborted) throw cancelled(id);
      try {
        return await attempt(request, onEvent);
      } catch (thrown) {
        const limit = maxTokensIn(thrown);
        if (limit === undefined || limit >= maxTokensOfModel) throw thrown;
        maxTokensOfModel = limit;
        return await attempt(request, onEvent);
      }
    },
  };
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
    defaultHeaders: { ...(apiKey === undefined && { Authorization: null }), ...headers },
  });
}

/** "max_tokens: 16384 > 8192, which is the maximum allowed number of output tokens for …" */
function maxTokensIn(thrown: unknown): number | undefined {
  if (!(thrown instanceof PegboardError) || (thrown.data as ModelFailureData).status !== 400)
    return undefined;
  const limit = /max_tokens: \d+ > (\d+)/.exec(thrown.message)?.[1];
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
