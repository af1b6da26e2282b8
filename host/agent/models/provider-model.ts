import type { Model, ModelEvent, ModelReply, ModelRequest, ModelSettings } from '../../api/model.ts';
import { systemClock } from '../../core/async/clock.ts';
import { messageOf, PegboardError } from '../../core/errors.ts';
import { interrupted, cancelled, timedOut, toModelError, type ModelFailureData } from './failure.ts';
import { defaultIdleTimeouts, startIdleTimer } from './idle-timer.ts';
import { createImageFaults, type Image } from './images/image-faults.ts';
import { isShownImage } from './wire/content.ts';
import { createLegalNames, type LegalNames } from './wire/legal-names.ts';
import { blamesImage, refusesImages } from './wire/quirks.ts';

/** What differs between the APIs of providers. */
export interface ProviderApi {
  /** One streamed request. */
  attempt(request: ProviderRequest, onEvent: (event: ModelEvent) => void): Attempt;
  /** After a refusal of a part of the request: whether later requests are made differently, so that one may be answered. */
  adapt(refusal: PegboardError, request: ProviderRequest): boolean;
  /** What the client threw, with the provider's own words as its message. Absent: it has them. */
  readonly inItsWords?: (thrown: unknown) => unknown;
}

export interface ProviderRequest extends ModelRequest {
  readonly names: LegalNames;
  /** Images that are replaced by a text. */
  readonly leavesOut: (image: Image) => boolean;
}

interface Attempt {
  /** Resolves when the stream has ended. Calls `received` for each chunk that is part of an answer. */
  stream(signal: AbortSignal, received: () => void): Promise<void>;
  /** Whether a part of the answer has arrived. */
  readonly started: boolean;
  /** What has arrived, calls with their sent names. Not `whole`: the stream ended without saying why. */
  end(): { readonly reply: ModelReply; readonly whole: boolean };
}

/**
 * One streamed request per reply, with native tools. Retries are left to withRetry. Throws PEG_MODEL_UNAVAILABLE when a
 * retry may help, PEG_MODEL_REFUSED when it can't, PEG_CANCELLED. After a refusal because of an image the request is sent
 * without the images that may be at fault.
 */
export function createProviderModel(options: ModelSettings, api: ProviderApi): Model {
  const { id, contextWindow, idleTimeouts = defaultIdleTimeouts, clock = systemClock } = options;
  const faults = createImageFaults();
  let takesNoImages = false;
  const leavesOut = (image: Image): boolean => takesNoImages || faults.has(image);

  const attempt = async (
    request: ProviderRequest,
    onEvent: (event: ModelEvent) => void,
  ): Promise<ModelReply> => {
    using timer = startIdleTimer(idleTimeouts, request.signal, clock);
    const current = api.attempt(request, onEvent);
    try {
      await current.stream(timer.signal, () => timer.reset());
      // An aborted stream ends like a complete one.
      timer.signal.throwIfAborted();
    } catch (thrown) {
      if (request.signal.aborted) throw cancelled(id);
      if (timer.expired) throw timedOut(id, idleTimeouts, current.started);
      if (current.started && !isApiError(thrown)) throw interrupted(id, messageOf(thrown), thrown);
      throw toModelError(api.inItsWords?.(thrown) ?? thrown, id);
    }
    const { reply, whole } = current.end();
    if (!whole) throw interrupted(id, 'it ended without saying why');
    return {
      ...reply,
      toolCalls: reply.toolCalls.map((call) => ({ ...call, name: request.names.fromLegal(call.name) })),
    };
  };

  return {
    id,
    contextWindow,
    nativeTools: true,
    maxTools: options.maxTools,
    async respond(asked, onEvent) {
      if (asked.signal.aborted) throw cancelled(id);
      const request = { ...asked, names: createLegalNames(asked.tools), leavesOut };
      for (;;) {
        const images = imagesOf(asked).filter((image) => !leavesOut(image));
        try {
          const reply = await attempt(request, onEvent);
          faults.accept(images);
          return reply;
        } catch (thrown) {
          if (!isPartialRefusal(thrown)) throw thrown;
          if (api.adapt(thrown, request)) continue;
          if (images.length === 0 || !blamesImage(thrown.message)) throw thrown;
          if (refusesImages(thrown.message)) takesNoImages = true;
          else faults.blame(images);
        }
      }
    },
  };
}

/** A refusal of a part of the request, which may be answered without it. */
function isPartialRefusal(thrown: unknown): thrown is PegboardError {
  if (!(thrown instanceof PegboardError) || thrown.code !== 'PEG_MODEL_REFUSED') return false;
  const { status = 0, tooLong } = thrown.data as ModelFailureData;
  return !tooLong && [400, 404, 422].includes(status);
}

const imagesOf = ({ messages }: ModelRequest): Image[] =>
  messages.flatMap((message) => ('content' in message ? message.content.filter(isShownImage) : []));

/** An error sent by the server, not a failed connection. */
const isApiError = (thrown: unknown): boolean =>
  thrown instanceof PegboardError || (thrown instanceof Error && 'error' in thrown && 'status' in thrown);
