import type { ModelsConfig } from '../../formats/models.ts';
import type { ModelProvider } from '../../api/model.ts';
import { withinLimit } from '../../core/async/deadline.ts';
import { messageOf } from '../../core/errors.ts';
import { redirectedMessage } from './failure.ts';
import { presets } from './choice/presets.ts';
import {
  addressProblem,
  findProvider,
  isUsable,
  type Environment,
  type Provider,
} from './choice/provider.ts';
import { loadedWindows } from './choice/context-window.ts';
import { windowOf } from './choice/listed-model.ts';
import { listedPrice, type PricedEntry } from './prices/listed-price.ts';
import { findPrice } from './prices/find-price.ts';
import { getFromServer } from './wire/ask-server.ts';
import { asSentence } from '../../core/text/as-sentence.ts';

interface ListedModel {
  /** As pegboard.yaml names it: "openai/gpt-5". */
  readonly id: string;
  /** Tokens, where the server or the table says it. */
  readonly contextWindow?: number;
  /** US dollars for a million tokens, where the server or the table says it. */
  readonly price?: { readonly input: number; readonly output: number };
}

/** What one provider has. */
export interface ProviderModels {
  readonly provider: string;
  readonly address: string;
  readonly models: readonly ListedModel[];
  /** Why there is no list: a sentence. */
  readonly problem?: string;
}

/** A server on another continent may have a long list; one on this machine may be busy. */
const timeoutMs = 10_000;

/**
 * The models of every provider that has a key or needs none, as their servers list them now. A local server that
 * nothing names is left out unless it answers.
 */
export async function listProviderModels(
  config: ModelsConfig,
  environment: Environment,
  plugins: ReadonlyMap<string, ModelProvider>,
): Promise<ProviderModels[]> {
  const ids = [...new Set([...Object.keys(config.providers ?? {}), ...Object.keys(presets)])];
  const named = [config.default, environment['PEGBOARD_MODEL'], ...(config.fallback ?? [])];
  const found = ids.map(async (id) => {
    const provider = findProvider(id, config, environment)!;
    if (!isUsable(provider, config)) return [];
    const own = plugins.get(provider.backend);
    const listed = own ? await modelsOfPlugin(provider, own) : await modelsOf(provider);
    const isNamed =
      !provider.local ||
      config.providers?.[id] !== undefined ||
      provider.baseUrl !== presets[id as keyof typeof presets]?.baseUrl ||
      named.some((name) => name?.startsWith(`${id}/`));
    return listed.problem === undefined || isNamed ? [listed] : [];
  });
  return (await Promise.all(found)).flat();
}

async function modelsOf(provider: Provider): Promise<ProviderModels> {
  const { id, baseUrl } = provider;
  const url = URL.parse(baseUrl);
  const address = url ? `${url.origin}${url.pathname.replace(/\/$/, '')}` : '';
  const failed = (problem: string): ProviderModels => ({ provider: id, address, models: [], problem });
  const wrong = addressProblem(provider);
  if (wrong !== undefined) return failed(wrong);
  const answer = await getFromServer(
    provider,
    provider.backend === 'anthropic' ? 'models?limit=1000' : 'models',
    timeoutMs,
  );
  if ('unreachable' in answer) return failed(`${id} (${address}) can't be reached: ${answer.unreachable}.`);
  if ('redirectedTo' in answer) return failed(redirectedMessage(`${id} (${address})`, answer.redirectedTo));
  if ('status' in answer) {
    const refused = answer.status === 401 || answer.status === 403;
    return failed(
      refused
        ? `${id} (${address}) refused the key (${answer.status}).`
        : `${id} (${address}) gave no list of models (${answer.status}). Check its base_url.`,
    );
  }
  const { data } = (answer.json ?? {}) as { readonly data?: unknown };
  if (!Array.isArray(data)) return failed(`${id} (${address}) gave no list of models. Check its base_url.`);
  const entries = (data as (Entry | null)[]).filter(
    (entry): entry is Entry & { readonly id: string } =>
      typeof entry?.id === 'string' && !/embed/i.test(entry.id),
  );
  const loaded = provider.local ? await loadedWindows(provider) : () => undefined;
  const models = entries.map((entry) => toListed(provider, entry, loaded(entry.id)));
  return { provider: id, address, models: models.toSorted((a, b) => a.id.localeCompare(b.id)) };
}

async function modelsOfPlugin(
  { id, baseUrl, apiKey, headers }: Provider,
  plugin: ModelProvider,
): Promise<ProviderModels> {
  const failed = (problem: string): ProviderModels => ({ provider: id, address: '', models: [], problem });
  if (!plugin.list) return failed(`The plugin that provides ${id} doesn't list its models.`);
  try {
    const settings = { baseUrl, headers, ...(apiKey !== undefined && { apiKey }) };
    const offered = await withinLimit(Promise.resolve(plugin.list(settings)), timeoutMs);
    const models = offered.map(({ name, contextWindow, price }) => ({
      id: `${id}/${name}`,
      ...(contextWindow !== undefined && { contextWindow }),
      ...(price && { price }),
    }));
    return { provider: id, address: '', models: models.toSorted((a, b) => a.id.localeCompare(b.id)) };
  } catch (cause) {
    return failed(
      `The plugin that provides ${id} could not list its models: ${asSentence(messageOf(cause))}`,
    );
  }
}

interface Entry extends PricedEntry {
  readonly id?: unknown;
  readonly [key: string]: unknown;
}

/** `loaded`: the window that a local server has loaded it with; it may be smaller than what the model can have. */
function toListed(
  provider: Provider,
  entry: Entry & { readonly id: string },
  loaded: number | undefined,
): ListedModel {
  const name = entry.id.replace(/^models\//, '');
  const known = findPrice(provider, name);
  const contextWindow = loaded ?? windowOf(entry) ?? known?.contextWindow;
  const price = listedPrice(entry) ?? known;
  return {
    id: `${provider.id}/${name}`,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(price && { price: { input: price.input, output: price.output } }),
  };
}
