import type { ModelsConfig } from '../../../formats/models.ts';
import { chooseNamed } from './choose.ts';
import type { Environment } from './provider.ts';

/** A server with one of OpenAI's interfaces other than chat, and the model to ask there. */
export interface ModelEndpoint {
  readonly model: string;
  /** Without the path of the interface, such as `/embeddings`. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly headers: { readonly [name: string]: string };
}

/** An entry such as `models.embeddings`: a name at its `base_url`, else a model of a provider. Throws PEG_CONFIG. */
export function chooseEndpoint(
  {
    model,
    base_url: baseUrl,
    api_key: apiKey,
  }: { readonly model: string; readonly base_url?: string; readonly api_key?: string },
  config: ModelsConfig,
  environment: Environment,
): ModelEndpoint {
  if (baseUrl !== undefined) return { model, baseUrl, ...(apiKey !== undefined && { apiKey }), headers: {} };
  const { provider, name } = chooseNamed(model, config, environment);
  const key = apiKey ?? provider.apiKey;
  return {
    model: name ?? model,
    baseUrl: provider.baseUrl,
    ...(key !== undefined && { apiKey: key }),
    headers: provider.headers,
  };
}
