import type { Model, ModelEvent, ModelMessage, ModelReply, WireTool } from '../api/model.ts';
import { PegboardError } from '../core/errors.ts';
import { fitWindow, tokensOfMessages, windowFor } from './fit-window.ts';
import type { ModelFailureData } from './models/failure.ts';

export interface FittingOptions {
  readonly respond: Model['respond'];
  /** Tokens, as far as known. */
  readonly contextWindow: number;
  readonly tools: readonly WireTool[];
  readonly find: (name: string) => WireTool | undefined;
  readonly signal: AbortSignal;
}

/** `fresh`: index of the first result that the model has not seen yet. */
export type RespondFitting = (
  messages: readonly ModelMessage[],
  fresh: number,
  onEvent: (event: ModelEvent) => void,
) => Promise<ModelReply>;

/** Retries with a shorter request. */
const retries = 2;
/** Applied to the size that was too long, and from the second retry on to the limit that the provider stated. */
const shrinkFactor = 0.5;

/**
 * Sends the messages that fit. A request that the provider still finds too long is retried with less, dropping older
 * history first; the window learned from that applies to later requests. Throws PEG_MODEL_REFUSED when nothing more can
 * be dropped, or the retries were not enough.
 */
export function createFittingResponder({
  respond,
  contextWindow,
  tools,
  find,
  signal,
}: FittingOptions): RespondFitting {
  let window = contextWindow;
  return async (messages, fresh, onEvent) => {
    let shown = fitWindow(messages, { contextWindow: window, tools, fresh });
    for (let attempt = 0; ; attempt++) {
      try {
        return await respond({ messages: shown, tools, find, signal }, onEvent);
      } catch (cause) {
        const failure = tooLong(cause);
        if (!failure) throw cause;
        const tokens = tokensOfMessages(shown);
        const { limit = Infinity } = failure.tooLong;
        window = Math.min(
          attempt === 0 ? limit : limit * shrinkFactor,
          windowFor(tokens * shrinkFactor, tools),
        );
        shown = fitWindow(messages, { contextWindow: window, tools, fresh });
        if (attempt === retries || tokensOfMessages(shown) >= tokens) throw toReadableError(cause, failure);
        onEvent({
          type: 'restart',
          reason: `The conversation is too long for ${failure.model}: retrying with less of its history.`,
        });
      }
    }
  };
}

type TooLongFailure = ModelFailureData & Required<Pick<ModelFailureData, 'tooLong'>>;

function tooLong(cause: unknown): TooLongFailure | undefined {
  if (!(cause instanceof PegboardError)) return undefined;
  const data = cause.data as Partial<ModelFailureData> | undefined;
  return data?.tooLong && (data as TooLongFailure);
}

function toReadableError(cause: unknown, data: TooLongFailure): PegboardError {
  return new PegboardError(
    'PEG_MODEL_REFUSED',
    `This is too long for ${data.model}, even without the earlier conversation: the message, the results of its tool ` +
      `calls and the tools themselves exceed the context window. Shorten or split the message, or set the model's real ` +
      `contextWindow under models in pegboard.yaml. (${(cause as PegboardError).message})`,
    { cause, data },
  );
}
