import type { Logger } from '../../../api/log.ts';
import { messageOf } from '../../../core/errors.ts';
import { chooseEndpoint, type ModelEndpoint } from './endpoint.ts';
import type { ModelsConfig } from '../../../formats/models.ts';
import { nonEmpty, type Environment } from './provider.ts';

/** Used with an OpenRouter key when EMBEDDING_MODEL is not set. */
const defaultModel = 'openrouter/qwen/qwen3-embedding-4b';

/**
 * `models.embeddings`, else EMBEDDING_MODEL at its provider, else OpenRouter's when there is a key for it. Other keys
 * alone don't enable embeddings. Throws PEG_CONFIG for a model that can't be resolved.
 */
export function chooseEmbedder(config: ModelsConfig, environment: Environment): ModelEndpoint | undefined {
  const written = config.embeddings ?? {};
  const fallback = nonEmpty(environment['OPENROUTER_API_KEY']) && defaultModel;
  const model = written.model ?? nonEmpty(environment['EMBEDDING_MODEL']) ?? fallback;
  return model === undefined ? undefined : chooseEndpoint({ ...written, model }, config, environment);
}

/** Undefined when embeddings are not configured, or their model can't be resolved, which is logged. */
export function embedderOf(
  models: ModelsConfig,
  environment: Environment,
  log: Pick<Logger, 'warn'>,
): ModelEndpoint | undefined {
  try {
    return chooseEmbedder(models, environment);
  } catch (cause) {
    log.warn(`there are no embeddings: ${messageOf(cause)}`);
    return undefined;
  }
}
