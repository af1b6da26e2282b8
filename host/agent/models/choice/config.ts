/** `models` of pegboard.yaml, as it is written. */
export interface ModelsConfig {
  /** "provider/model", or a model's name at the only provider. */
  readonly default?: string;
  /** Asked in this order when the one before can't answer. */
  readonly fallback?: readonly string[];
  /** Tokens: what the home's model really takes. */
  readonly contextWindow?: number;
  /** US dollars that all models together may cost in a day. */
  readonly spendPerDay?: number;
  readonly providers?: { readonly [id: string]: ProviderConfig };
  readonly embeddings?: {
    readonly model?: string;
    readonly base_url?: string;
    readonly api_key?: string;
  };
}

/** Of a provider that Pegboard knows, what differs; of any other at least `base_url`. */
export interface ProviderConfig {
  readonly base_url?: string;
  readonly api_key?: string;
  /** "openai_compat", "anthropic" or the name of a provider of a plugin, where its own name doesn't say it. */
  readonly backend?: string;
  readonly native_tool_use?: boolean | 'auto';
  readonly headers?: { readonly [name: string]: string };
  /** Seconds until the first word of an answer. */
  readonly timeout?: number;
  /** Tokens, for all of its models. */
  readonly contextWindow?: number;
  /** Tools that it takes in one request. */
  readonly maxTools?: number;
}
