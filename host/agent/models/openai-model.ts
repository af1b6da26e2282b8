import type { OpenAI } from 'openai';
import type {
  Model,
  ModelEvent,
  ModelReply,
  ModelRequest,
  ModelSettings,
  WireTool,
} from '../../api/model.ts';
import { messageOf, PegboardError } from '../../core/errors.ts';
import { parseJson, withWritten } from '../../core/documents/written-numbers.ts';
import { toFunction } from '../../tools/injection/wire.ts';
import { brokenOff, cancelled, timedOut, toModelError, type ModelFailureData } from './failure.ts';
import { createImageFaults, type Image } from './images/image-faults.ts';
import { startIdleTimer, defaultIdleTimeouts } from './idle-timer.ts';
import { createLegalNames, type LegalNames } from './wire/legal-names.ts';
import { blamesImage, quirkOf, type Quirks } from './wire/quirks.ts';
import { createReplayMemory } from './wire/replay.ts';
import { createReplyReader, type Chunk } from './wire/reply-reader.ts';
import { isShownImage } from './wire/content.ts';
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

/**
 * One streamed request per reply, with native tools. Retries are left to withRetry. Throws PEG_MODEL_UNAVAILABLE when a
 * retry may help, PEG_MODEL_REFUSED when it can't, PEG_CANCELLED.
 */
export function createOpenAiModel(options: OpenAiModelOptions): Model {
  const { id, name, contextWindow, idleTimeouts = defaultIdleTimeouts } = options;
  const known = options.quirks ?? {};
  const memory = createReplayMemory(known.unsigned);
  let quirks: Quirks = known;
  let client: Promise<OpenAI> | undefined;

  const faults = createImageFaults();
  const leavesOut = (image: Image): boolean => quirks.noImages === true || faults.has(image);

  const bodyOf = (request: ModelRequest, { toLegal }: LegalNames): Body => {
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

  const attempt = async (
    request: ModelRequest,
    names: LegalNames,
    onEvent: (event: ModelEvent) => void,
  ): Promise<ModelReply> => {
    using timer = startIdleTimer(idleTimeouts, request.signal);
    const body = bodyOf(request, names);
    const reader = createReplyReader(
      request.tools.map(({ name }) => names.toLegal(name)),
      onEvent,
    );
    try {
      const openai = await (client ??= connect(options));
      const response = await openai.chat.completions
        .create(withWritten(body) as never, { signal: timer.signal, maxRetries: 0 })
        .asResponse();
      for await (const chunk of await chunksOf(response)) {
        if (reader.add(chunk)) timer.reset();
      }
      // An aborted stream ends like a complete one.
      timer.signal.throwIfAborted();
    } catch (thrown) {
      if (request.signal.aborted) throw cancelled(id);
      if (timer.expired) throw timedOut(id, idleTimeouts, reader.started);
      if (reader.started && !isApiError(thrown)) throw brokenOff(id, messageOf(thrown), thrown);
      throw toModelError(thrown, id);
    }
    const { reply, whole, fields, calls } = reader.end(id, () => JSON.stringify(body).length);
    if (!whole) throw brokenOff(id, 'it ended without saying why');
    memory.keep(calls, fields);
    faults.accept(imagesOf(request).filter((image) => !leavesOut(image)));
    return {
      ...reply,
      toolCalls: reply.toolCalls.map((call) => ({ ...call, name: names.fromLegal(call.name) })),
    };
  };

  return {
    id,
    contextWindow,
    nativeTools: true,
    maxTools: options.maxTools,
    async respond(request, onEvent) {
      if (request.signal.aborted) throw cancelled(id);
      const names = createLegalNames(request.tools);
      const isSent = (image: Image): boolean => !leavesOut(image);
      for (;;) {
        try {
          return await attempt(request, names, onEvent);
        } catch (thrown) {
          const quirk = quirkFrom(thrown, bodyOf(request, names), quirks);
          if (quirk) quirks = { ...quirks, [quirk]: true };
          else if (!isAboutAnImage(thrown) || !faults.blame(imagesOf(request).filter(isSent))) throw thrown;
        }
      }
    },
  };
}

interface Body {
  readonly messages: readonly { readonly content: unknown }[];
  readonly [field: string]: unknown;
}

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

function quirkFrom(thrown: unknown, body: Body, quirks: Quirks): keyof Quirks | undefined {
  if (!isRefusal(thrown)) return undefined;
  return quirkOf(thrown.message, {
    noStreamOptions: 'stream_options' in body,
    otherLimit: !quirks.otherLimit && ('max_tokens' in body || 'max_completion_tokens' in body),
    noTemperature: 'temperature' in body,
    noImages: body.messages.some(({ content }) => Array.isArray(content) && content.some(isImage)),
  });
}

/** A refusal of a part of the request, which may be answered without it. */
function isRefusal(thrown: unknown): thrown is PegboardError {
  if (!(thrown instanceof PegboardError) || thrown.code !== 'PEG_MODEL_REFUSED') return false;
  const { status = 0, tooLong } = thrown.data as ModelFailureData;
  return !tooLong && [400, 404, 422].includes(status);
}

const isAboutAnImage = (thrown: unknown): boolean => isRefusal(thrown) && blamesImage(thrown.message);

const imagesOf = ({ messages }: ModelRequest): Image[] =>
  messages.flatMap((message) => ('content' in message ? message.content.filter(isShownImage) : []));

const isImage = (part: unknown): boolean => (part as { type?: unknown }).type === 'image_url';

/** An error sent by the server, not a failed connection. */
const isApiError = (thrown: unknown): boolean =>
  thrown instanceof PegboardError || (thrown instanceof Error && 'error' in thrown && 'status' in thrown);
