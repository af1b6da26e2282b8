import type { ModelToolCall } from '../../api/model.ts';
import type { JsonObject } from '../../api/result.ts';

/** A call as the model made it. */
export interface StoredModelCall extends ModelToolCall {
  /** Its arguments held a secret and are not stored as they were: the call can't be run after an interruption. */
  readonly isWithheld?: true;
}

/** A reply of a model whose calls run. */
export interface StoredReply {
  /** From 1 on. */
  readonly round: number;
  readonly text: string;
  readonly calls: readonly StoredModelCall[];
  /** What the provider wants back with the reply. */
  readonly replay?: JsonObject | undefined;
}
