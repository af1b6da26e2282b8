import type { ModelMessage, ModelToolCall } from '../../../api/model.ts';
import type { AssembledCall } from './call-deltas.ts';

/** Replies kept; a turn has a few dozen at most. */
const maxReplies = 200;

interface Remembered {
  readonly fields: object;
  readonly extras: ReadonlyMap<string, unknown>;
}

/** Fields that a provider wants back with its replies. Kept for the lifetime of the process. */
export interface ReplayMemory {
  /** `fields` belong to the message, such as reasoning; signatures come with the calls. */
  keep(calls: readonly AssembledCall[], fields: object): void;
  readonly recall: (message: Extract<ModelMessage, { role: 'assistant' }>) => {
    readonly fields: object;
    readonly callFields: (call: ModelToolCall) => object;
  };
}

/**
 * DeepSeek wants the reasoning that led to a call, Gemini 3 the signature of each first call; both refuse the next request
 * without them. `unsigned` replaces a signature that is no longer known.
 */
export function createReplayMemory(unsigned?: unknown): ReplayMemory {
  const byFirstCall = new Map<string, Remembered>();
  return {
    keep(calls, fields) {
      const extras = new Map(
        calls.filter(({ extra }) => extra !== undefined).map(({ id, extra }) => [id, extra]),
      );
      if (calls.length === 0 || (extras.size === 0 && Object.keys(fields).length === 0)) return;
      byFirstCall.set(calls[0]!.id, { fields, extras });
      if (byFirstCall.size > maxReplies) byFirstCall.delete(byFirstCall.keys().next().value!);
    },
    recall({ toolCalls = [] }) {
      const first = toolCalls[0]?.id;
      const known = first === undefined ? undefined : byFirstCall.get(first);
      return {
        fields: known?.fields ?? {},
        callFields({ id }) {
          const extra = known?.extras.get(id) ?? (known || id !== first ? undefined : unsigned);
          return extra === undefined ? {} : { extra_content: extra };
        },
      };
    },
  };
}
