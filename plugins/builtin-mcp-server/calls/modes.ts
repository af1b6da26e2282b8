import type { InjectionMode, RegisteredTool } from 'pegboard';
import { budgetFor, chooseMode, tokensOf, toWire } from 'pegboard/serving';

/** In tokens: the smallest context window of models in current MCP clients. */
export const defaultContextTokens = 200_000;

/** Clients that show their model names first and load schemas on demand, so that our search would be a second one. */
const deferring = /^(claudecode|codex|visualstudiocode|vscode)/;

/** By the client's own name: "claude-code", "Visual Studio Code - Insiders". */
export function defersTools(clientName: string): boolean {
  return deferring.test(clientName.toLowerCase().replace(/[^a-z]/g, ''));
}

/** The mode for a client that does not defer tools; `contextWindow` in tokens. */
export function modeFor(contextWindow: number, tools: readonly RegisteredTool[]): InjectionMode {
  const tokens = tools.reduce((sum, tool) => sum + tokensOf(toWire(tool)), 0);
  return chooseMode(budgetFor(contextWindow, tools.length, tokens)).mode;
}
