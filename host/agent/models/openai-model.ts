import type { OpenAI } from 'openai';
import type { Model, ModelSettings, WireTool } from '../../api/model.ts';
import { parseJson, withWritten } from '../../core/documents/written-numbers.ts';
import { fetchAtOrigin } from '../../core/http/fetch-at-origin.ts';
import { toFunction } from '../../tools/injection/wire.ts';
import { createProviderModel, type ProviderRequest } from './provider-model.ts';
import type { LegalNames } from './wire/legal-names.ts';
import { quirkOf, type Quirks } from './wire/quirks.ts';
import { createReplayMemory } from './wire/replay.ts';
import { createReplyReader, type Chunk } from './wire/reply-reader.ts';
import { toWireMessages } from './wire/messages.ts';

/** One model of one OpenAI-compatible server. */
export interface OpenAiModelOptions extends ModelSettings {
  /** Known quirks of the server; others are detected. */
  readonly quirks?: Quirks & {
    readonly limit?: 'max_tokens' | 'max_completion_tokens';
    readonly shortCallIds?: boolean;
    /** `extra_content` of a call whose signature is unknown. */
    readonly unsigned?: unknown;
  };
}

/** See `createProviderModel`. */
export function createOpenAiModel(options: OpenAiModelOptions): Model {
  const { id, name } = options;
  const known = options.quirks ?? {};
  const memory = createReplayMemory(id, known.unsigned);
  let quirks: Quirks = known;
  let client: Promise<OpenAI> | undefined;

  const bodyOf = ({ names: { toLegal }, leavesOut, ...request }: ProviderRequest): Body => {
    const limit = limitName(known.limit ?? 'max_tokens', quirks.otherLimit);
    const maxTokens = request.maxTokens ?? options.maxTokens;
    return {
      model: name,
      messages: toWireMessages(request.messages, {
        shortCallIds: known.shortCallIds === true,
        leavesOut,
        toLegal,
        replay: memory.recall,
      }),
      ...(request.tools.length > 0 && { tools: request.tools.map((tool) => toWireTool(tool, toLegal)) }),
      ...(maxTokens !== undefined && { [limit]: maxTokens }),
      ...(options.temperature !== undefined && !quirks.noTemperature && { temperature: options.temperature }),
      stream: true,
      ...(!quirks.noStreamOptions && { stream_options: { include_usage: true } }),
    };
  };

  return createProviderModel(options, {
    attempt(request, onEvent) {
      const body = bodyOf(request);
      const sentNames = request.tools.map((tool) => request.names.toLegal(tool.name));
      const reader = createReplyReader(sentNames, onEvent);
      return {
        async stream(signal, received) {
          const openai = await (client ??= connect(options));
          const response = await openai.chat.completions
            .create(withWritten(body) as never, { signal, maxRetries: 0 })
            .asResponse();
          for await (const chunk of await chunksOf(response)) if (reader.add(chunk)) received();
        },
        get started() {
          return reader.started;
        },
        end() {
          const { reply, whole, fields, calls } = reader.end(id, () => JSON.stringify(body).length);
          const replay = whole ? memory.keep(calls, fields) : undefined;
          return { reply: replay ? { ...reply, replay } : reply, whole };
        },
      };
    },
    adapt({ message }, request) {
      const body = bodyOf(request);
      const quirk = quirkOf(message, {
        noStreamOptions: 'stream_options' in body,
        otherLimit: !quirks.otherLimit && ('max_tokens' in body || 'max_completion_tokens' in body),
        noTemperature: 'temperature' in body,
      });
      if (quirk) quirks = { ...quirks, [quirk]: true };
      return quirk !== undefined;
    },
  });
}

type Body = { readonly [field: string]: unknown };

/** The package takes 150 ms to load, so it is loaded on first use. */
async function connect({ baseUrl, apiKey, headers }: OpenAiModelOptions): Promise<OpenAI> {
  const { OpenAI } = await import('openai');
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? 'none',
    organization: null,
    project: null,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    fetch: fetchAtOrigin,
    defaultHeaders: { ...(apiKey === undefined && { Authorization: null }), ...headers },
  });
}

/** Chunks of a stream; one chunk when the server responded with a single document. */
async function chunksOf(response: Response): Promise<AsyncIterable<Chunk> | Iterable<Chunk>> {
  if (response.headers.get('content-type')?.includes('json'))
    return [parseJson(await response.text()) as Chunk];
  return readEvents(response);
}

/** Like the package's own stream, but numbers keep their written form: some servers send arguments as an object. */
async function* readEvents(response: Response): AsyncGenerator<Chunk> {
  const { _iterSSEMessages: events } = await import('openai/core/streaming');
  for await (const { event, data } of events(response, new AbortController())) {
    if (data === '[DONE]') return;
    const chunk = parseJson(data) as Chunk | null;
    const error = chunk?.error ?? (event === 'error' ? chunk : undefined);
    if (error) throw new (await import('openai')).APIError(undefined, error, undefined, response.headers);
    if (!chunk) continue;
    yield chunk;
  }
}

const toWireTool = ({ name, ...tool }: WireTool, toLegal: LegalNames['toLegal']): object =>
  toFunction({ ...tool, name: toLegal(name) });

function limitName(usual: 'max_tokens' | 'max_completion_tokens', other: boolean | undefined): string {
  const another = usual === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  return other ? another : usual;
}
