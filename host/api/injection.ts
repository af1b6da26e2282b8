import type { InjectionMode } from './agent.ts';
import type { WireTool } from './model.ts';

/** How tools are shown to a model, and the figures behind it. One token is counted as 4 characters. */
export interface Injection {
  readonly mode: InjectionMode;
  /** Why this mode: "4,120 tokens of schemas fit into the budget of 6,400". */
  readonly reason: string;
  readonly contextWindow: number;
  /** 0.20 × context window. */
  readonly budget: number;
  /** ⌊JSON length / 4⌋ of every visible tool, summed. */
  readonly toolTokens: number;
  /** 30 for every visible tool. */
  readonly compactTokens: number;
  /** In the order sent, which is stable from turn to turn so that a provider's prompt cache stays valid. */
  readonly tools: readonly WireTool[];
  /** The section of the system prompt about tools. */
  readonly prompt: string;
}
