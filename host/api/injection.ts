import type { InjectionMode } from './agent.ts';
import type { WireTool } from './model.ts';

/** What a model is shown of its tools, and the arithmetic behind it. Tokens are characters ÷ 4. */
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
  /** In the order in which they are sent: stable from turn to turn, so that a provider's cache holds. */
  readonly tools: readonly WireTool[];
  /** What the system prompt says about tools. */
  readonly prompt: string;
}
