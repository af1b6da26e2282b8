import type { ModelMessage, ModelToolCall } from '../../../api/model.ts';
import type { JsonObject } from '../../../api/result.ts';
import type { AssembledCall } from './call-deltas.ts';

/** Replies kept; a turn has a few dozen at most. */
const maxReplies = 200;

interface Remembered {
  readonly fields: object;
  readonly extras: ReadonlyMap<string, unknown>;
}

/** The same as part of a stored reply. */
interface StoredReplay extends JsonObject {
  /** The model that wants it back; others might refuse it. */
  readonly model: string;
  readonly fields: JsonObject;
  readonly extras: JsonObject;
}

/** Fields that a provider wants back with its replies. Kept for the lifetime of the process, and stored with a turn. */
export interface ReplayMemory {
  /**
   * `fields` belong to the message, such as reasoning; signatures come with the calls. Returns what the reply has to hold
   * so that another process can send it back.
   */
  keep(calls: readonly AssembledCall[], fields: object): JsonObject | undefined;
  readonly recall: (message: Extract<ModelMessage, { role: 'assistant' }>) => {
    readonly fields: object;
    readonly callFields: (call: ModelToolCall) => object;
  };
}

/**
 * DeepSeek wants the reasoning that led to a call, Gemini 3 the signature of each first call; both refuse the next request
 * without them. `unsigned` replaces a signature that is no longer known.
 */
export function createReplayMemory(model: string, unsigned?: unknown): ReplayMemory {
  const byFirstCall = new Map<string, Remembered>();
  return {
    keep(calls, fields) {
      const extras = new Map(
        calls.filter(({ extra }) => extra !== undefined).map(({ id, extra }) => [id, extra]),
      );
      if (calls.length === 0 || (extras.size === 0 && Object.keys(fields).length === 0)) return undefined;
      byFirstCall.set(calls[0]!.id, { fields, extras });
      if (byFirstCall.size > maxReplies) byFirstCall.delete(byFirstCall.keys().next().value!);
      return { model, fields: { ...fields }, extras: Object.fromEntries(extras) };
    },
    recall({ toolCalls = [], replay }) {
      const first = toolCalls[0]?.id;
      const known = first === undefined ? undefined : (byFirstCall.get(first) ?? restored(replay, model));
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

function restored(replay: JsonObject | undefined, model: string): Remembered | undefined {
  if (replay?.['model'] !== model) return undefined;
  const { fields, extras } = replay as StoredReplay;
  return { fields, extras: new Map(Object.entries(extras)) };
}
