import type { InjectionMode } from '../../api/agent.ts';
import { withCommas } from '../../core/text/with-commas.ts';

/** What tools may take of the context window, and what each takes in tokens as far as it is not counted. */
const contextShare = 0.2;
const compactTokensPerTool = 30;
const fallbackTokensPerTool = 200;

/** What the tools would cost and may cost, in tokens. */
export interface Budget {
  readonly contextWindow: number;
  /** A fifth of the context window. */
  readonly budget: number;
  /** Of all schemas together. */
  readonly toolTokens: number;
  /** Of all names with one line each. */
  readonly compactTokens: number;
}

export interface ModeChoice {
  readonly mode: InjectionMode;
  /** A sentence with the figures in it. */
  readonly reason: string;
}

/** `toolTokens` absent: the schemas aren't known yet, and each counts as 200. */
export function budgetFor(
  contextWindow: number,
  toolCount: number,
  toolTokens = toolCount * fallbackTokensPerTool,
): Budget {
  return {
    contextWindow,
    budget: contextWindow * contextShare,
    toolTokens,
    compactTokens: toolCount * compactTokensPerTool,
  };
}

/** The richest mode that the budget allows. */
export function chooseMode({ budget, toolTokens, compactTokens }: Budget): ModeChoice {
  const within = `the budget of ${count(budget)}`;
  if (toolTokens <= budget)
    return { mode: 'direct', reason: `${count(toolTokens)} tokens of schemas fit into ${within}` };
  const tooMany = `${count(toolTokens)} tokens of schemas exceed ${within}`;
  return compactTokens <= budget
    ? { mode: 'compact_direct', reason: `${tooMany}, ${count(compactTokens)} of names and lines fit` }
    : { mode: 'discovery', reason: `${tooMany}, and so do ${count(compactTokens)} of names and lines` };
}

const count = (tokens: number): string => withCommas(Math.floor(tokens));
