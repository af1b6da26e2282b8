/** `models` of pegboard.yaml. */
export interface ModelsConfig {
  /** "provider/model", or a model's name at the only provider. */
  readonly default?: string;
  /** Tried in this order when the one before can't answer. */
  readonly fallback?: readonly string[];
  /** Tokens: the real window of the home's model. */
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

/** Overrides for a known provider; any other needs at least `base_url`. */
interface ProviderConfig {
  readonly base_url?: string;
  readonly api_key?: string;
  /** "openai_compat", "anthropic" or the name of a provider of a plugin, where its own name doesn't say it. */
  readonly backend?: string;
  readonly native_tool_use?: boolean | 'auto';
  readonly headers?: { readonly [name: string]: string };
  /** Seconds until the first chunk of a response. */
  readonly timeout?: number;
  /** Tokens, for all of its models. */
  readonly contextWindow?: number;
  /** Maximum number of tools in one request. */
  readonly maxTools?: number;
}
