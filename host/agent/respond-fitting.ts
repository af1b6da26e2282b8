import type { Model, ModelEvent, ModelMessage, ModelReply, WireTool } from '../api/model.ts';
import { PegboardError } from '../core/errors.ts';
import { fitWindow, tokensOfMessages, windowFor } from './fit-window.ts';
import type { ModelFailureData } from './models/failure.ts';

export interface FittingOptions {
  readonly respond: Model['respond'];
  /** Tokens, as far as it's known. */
  readonly contextWindow: number;
  readonly tools: readonly WireTool[];
  readonly find: (name: string) => WireTool | undefined;
  readonly signal: AbortSignal;
}

/** `fresh`: where the results begin that the model has not seen yet. */
export type RespondFitting = (
  messages: readonly ModelMessage[],
  fresh: number,
  onEvent: (event: ModelEvent) => void,
) => Promise<ModelReply>;

/** Requests with less, after the one that was too long. */
const retries = 2;
/** Of what was too long, and from the second time on of the limit that the provider stated. */
const shrinkFactor = 0.5;

/**
 * Asks with the messages that fit. What the provider finds too long all the same is asked again with less, older
 * history first; what that taught of the window holds from then on. Throws PEG_MODEL_REFUSED when nothing more can go,
 * or it was not enough.
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
          reason: `The conversation is too long for ${failure.model}: asking with less of what was said before.`,
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
    `This is too long for ${data.model}, even without what was said before: the message, what tools answered to it, ` +
      `and the tools themselves take more than the model does. Say it in less or in parts, or write the model's real ` +
      `contextWindow under models in pegboard.yaml. (${(cause as PegboardError).message})`,
    { cause, data },
  );
}
