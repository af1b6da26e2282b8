/** Tokens, where a model's window is unknown: most current ones have at least this. */
export const defaultContextTokens = 128_000;
