import type { Logger } from '../../../api/log.ts';
import { messageOf } from '../../../core/errors.ts';
import { chooseNamed } from './choose.ts';
import type { ModelsConfig } from './config.ts';
import { nonEmpty, type Environment } from './provider.ts';

/** Where texts become vectors: an OpenAI-compatible `/embeddings`. */
export interface EmbedderSettings {
  readonly model: string;
  /** Without `/embeddings`. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly headers: { readonly [name: string]: string };
}

/** What OpenRouter is asked for when EMBEDDING_MODEL says nothing. */
const defaultModel = 'openrouter/qwen/qwen3-embedding-4b';

/**
 * `models.embeddings`, else EMBEDDING_MODEL at whoever has it, else OpenRouter's when there is a key for it. Other
 * keys alone don't turn embeddings on. Throws PEG_CONFIG for a model that leads nowhere.
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

/** Undefined where embeddings are not configured, or lead nowhere: then words alone have to do. */
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
