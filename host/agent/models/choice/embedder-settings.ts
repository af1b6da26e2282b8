import type { Logger } from '../../../api/log.ts';
import { messageOf } from '../../../core/errors.ts';
import { chooseNamed } from './choose.ts';
import type { ModelsConfig } from '../../../formats/models.ts';
import { nonEmpty, type Environment } from './provider.ts';

/** An OpenAI-compatible `/embeddings` endpoint. */
export interface EmbedderSettings {
  readonly model: string;
  /** Without `/embeddings`. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly headers: { readonly [name: string]: string };
}

/** Used with an OpenRouter key when EMBEDDING_MODEL is not set. */
const defaultModel = 'openrouter/qwen/qwen3-embedding-4b';

/**
 * `models.embeddings`, else EMBEDDING_MODEL at its provider, else OpenRouter's when there is a key for it. Other keys
 * alone don't enable embeddings. Throws PEG_CONFIG for a model that can't be resolved.
 */
export function chooseEmbedder(config: ModelsConfig, environment: Environment): EmbedderSettings | undefined {
  const { model: written, base_url: baseUrl, api_key: apiKey } = config.embeddings ?? {};
  const fallback = nonEmpty(environment['OPENROUTER_API_KEY']) && defaultModel;
  const named = written ?? nonEmpty(environment['EMBEDDING_MODEL']) ?? fallback;
  if (named === undefined) return undefined;
  if (baseUrl !== undefined) {
    return { model: named, baseUrl, ...(apiKey !== undefined && { apiKey }), headers: {} };
  }
  const { provider, name } = chooseNamed(named, config, environment);
  const key = apiKey ?? provider.apiKey;
  return {
    model: name ?? named,
    baseUrl: provider.baseUrl,
    ...(key !== undefined && { apiKey: key }),
    headers: provider.headers,
  };
}

/** Undefined when embeddings are not configured, or their model can't be resolved, which is logged. */
export function embedderOf(
  models: ModelsConfig,
  environment: Environment,
  log: Pick<Logger, 'warn'>,
): EmbedderSettings | undefined {
  try {
    return chooseEmbedder(models, environment);
  } catch (cause) {
    log.warn(`there are no embeddings: ${messageOf(cause)}`);
    return undefined;
  }
}
