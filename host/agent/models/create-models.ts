import type { Brain } from '../../api/agent.ts';
import type { Logger } from '../../api/log.ts';
import type { Model, ModelProvider, ModelSettings } from '../../api/model.ts';
import type { MaybePromise } from '../../api/result.ts';
import { messageOf, PegboardError } from '../../core/errors.ts';
import { credentialsIn } from '../../core/secrets/credentials.ts';
import type { Redactor } from '../../core/secrets/redact.ts';
import {
  checkName,
  chooseModels,
  chooseNamed,
  fullName,
  withPluginProviders,
  type ChosenModel,
} from './choice/choose.ts';
import type { ModelsConfig, WrittenSpend } from '../../formats/models.ts';
import { firstListed } from './choice/first-listed.ts';
import { unlistedName } from './choice/unlisted-name.ts';
import { contextWindowOf } from './choice/context-window.ts';
import { chooseEmbedder } from './choice/embedder-settings.ts';
import type { ModelEndpoint } from './choice/endpoint.ts';
import { describeModels, type DescribedModel } from './describe-models.ts';
import { withFallback } from './fallback.ts';
import { defaultIdleTimeouts } from './idle-timer.ts';
import { findLocalModels, noModelError, type LocalServer } from './choice/local-models.ts';
import { createAnthropicModel } from './anthropic/anthropic-model.ts';
import { listProviderModels, type ProviderModels } from './list-models.ts';
import { createOpenAiModel } from './openai-model.ts';
import { presets, type Preset } from './choice/presets.ts';
import { addressProblem, nonEmpty, type Environment, type Provider } from './choice/provider.ts';
import { createUnpriced, withPrice, type Unpriced } from './prices/unknown-price.ts';
import type { ListedPrice } from './prices/listed-price.ts';
import { priceOf } from './prices/price-of.ts';
import { defaultRetries, withRetry, type RetryOptions } from './retry.ts';
import { withToolMode } from './text-tools/tool-mode.ts';
import type { ListingCache } from './choice/listing-cache.ts';
import { checkModel } from './check-model.ts';
import { testModel, type ModelTest, type TestOptions } from './test-model.ts';
import { withoutSecrets } from './without-secrets.ts';

export interface ModelsOptions {
  /** Called each time, since the file may have changed. */
  readonly config: () => ModelsConfig;
  /** Providers of plugins, by name; called each time. */
  readonly providers: () => ReadonlyMap<string, ModelProvider>;
  readonly environment: Environment;
  readonly log: Logger;
  readonly listings: ListingCache;
  /** Secrets that it knows are neither sent to models nor passed on from them. */
  readonly redactor: Redactor;
  readonly retries?: RetryOptions;
  /** Called each time. */
  readonly spend: () => WrittenSpend | undefined;
  /** A test is paid for, too. */
  readonly pay: (model: Model) => Model;
}

/** A key or an address of a provider that isn't stored yet. */
export interface Unstored {
  /** Instead of what pegboard.yaml says of the provider. */
  readonly entry: NonNullable<ModelsConfig['providers']>[string];
  /** What a person corrects, as problems name it. */
  readonly places: Pick<Provider, 'addressPlace' | 'keyPlace'>;
}

/** The models of a home. */
export interface Models {
  /**
   * The brain's model with its fallbacks, or the home's; undefined when there is none. The same settings return the
   * same model. Throws PEG_CONFIG for a name that can't be resolved.
   */
  resolve(brain?: Brain): Promise<Model | undefined>;
  /** The brain's models in the order in which they are tried. A provider is asked for what isn't known of its model. */
  describe(brain: Brain): Promise<readonly DescribedModel[]>;
  /** Whether this model has answered, and nobody knows what it cost: true once, to say so. */
  takeUnpriced(model: string): boolean;
  /** MEMORY_WORKER_MODEL; undefined when it isn't set. */
  worker(): Promise<Model | undefined>;
  /** Local servers that could be used. */
  local(): Promise<readonly LocalServer[]>;
  /**
   * Tests a model with one short request: "provider/model", or without a name the home's. Throws PEG_CANCELLED, and
   * PEG_CONFIG for a text that can name no model.
   */
  test(reference?: string, options?: TestOptions & { readonly unstored?: Unstored }): Promise<ModelTest>;
  /**
   * The full name of "provider/model", or of the home's model, without a request to its provider. Throws PEG_CONFIG, with a
   * hint, where no provider can be used for it, and PEG_NO_MODEL.
   */
  check(reference: string | undefined, unstored?: Unstored): string;
  /** What the providers that could be used have, asked now. Never throws for a server that doesn't answer. */
  list(): Promise<readonly ProviderModels[]>;
  /** Where embeddings come from; undefined when there are none. */
  embedder(): ModelEndpoint | undefined;
  /** Values that must never be shown, by the name to show instead. */
  secrets(): ReadonlyMap<string, string>;
}

export function createModels({
  config: configured,
  providers,
  environment,
  log,
  listings,
  redactor,
  retries = defaultRetries,
  spend,
  pay,
}: ModelsOptions): Models {
  const unpriced = createUnpriced();
  const config = (): ModelsConfig => withPluginProviders(configured(), providers().keys());
  // Cached because a model remembers what its server doesn't support. A model of a reloaded plugin is opened again.
  const made = new WeakMap<Protocol, Map<string, Promise<Model>>>();

  const make = (
    choice: ChosenModel,
    brain: Brain | undefined,
    homeWindow: number | undefined,
  ): Promise<Model> => {
    const opener = openerOf(choice.provider, providers());
    const models = made.get(opener) ?? new Map<string, Promise<Model>>();
    made.set(opener, models);
    const key = JSON.stringify([choice, brain, homeWindow]);
    const existing = models.get(key);
    if (existing) return existing;
    const model = open(opener, choice, brain, homeWindow, { log, listings, retries, spend, unpriced });
    models.set(key, model);
    model.catch(() => models.delete(key));
    return model;
  };
  /** The configured size is that of the home's own model. */
  const homeWindowFor = (brain: Brain | undefined): number | undefined =>
    brain?.model === undefined ? config().contextWindow : undefined;
  const withFallbacks = async (
    choices: readonly ChosenModel[],
    brain?: Brain,
  ): Promise<Model | undefined> => {
    const window = homeWindowFor(brain);
    const models = await Promise.all(
      choices.map((choice, index) => make(choice, brain, index === 0 ? window : undefined)),
    );
    const [first, ...others] = models;
    return first && withoutSecrets(withFallback([first, ...others]), redactor);
  };

  return {
    resolve: async (brain) => withFallbacks(chooseModels(brain, config(), environment), brain),
    describe: (brain) =>
      describeModels(chooseModels(brain, config(), environment), {
        open: (choice, isFirst) => make(choice, brain, isFirst ? homeWindowFor(brain) : undefined),
        isAsked: ({ provider }) => isOwn(openerOf(provider, providers())),
        listings,
        redact: (text) => redactor.text(text),
      }),
    takeUnpriced: unpriced.take,
    worker: async () => {
      const name = nonEmpty(environment['MEMORY_WORKER_MODEL']);
      return name === undefined ? undefined : withFallbacks([chooseNamed(name, config(), environment)]);
    },
    test: async (reference, { unstored, ...options } = {}) => {
      if (reference !== undefined) checkName(reference);
      const settings = settingsWith(config(), unstored, reference);
      let choice: ChosenModel;
      try {
        choice = chooseFor(reference, settings, environment);
      } catch (thrown) {
        return { ok: false, problem: 'not-configured', message: messageOf(thrown) };
      }
      const unlisted = reference && (await unlistedName(reference, choice, settings, environment));
      if (unlisted)
        return { ok: false, model: fullName(choice), problem: 'no-such-model', message: unlisted };
      const chosen = { ...choice, provider: { ...choice.provider, ...unstored?.places } };
      const once = { log, listings, retries: { ...retries, attempts: 1 }, spend, unpriced };
      const openOnce = (): Promise<Model> =>
        open(openerOf(chosen.provider, providers()), chosen, undefined, settings.contextWindow, once);
      const tested = redactor.value(
        await testModel(async () => pay(withoutSecrets(await openOnce(), redactor)), chosen, options),
      );
      const { apiKey } = chosen.provider;
      // The server may repeat a key that no store knows yet.
      return tested.ok || !apiKey
        ? tested
        : { ...tested, message: tested.message.replaceAll(apiKey, '[the key]') };
    },
    check: (reference, unstored) => {
      const choice = chooseFor(reference, settingsWith(config(), unstored, reference), environment);
      openerOf(choice.provider, providers());
      return fullName(choice);
    },
    list: async () => redactor.value(await listProviderModels(config(), environment, providers())),
    local: () => findLocalModels(environment),
    embedder: () => chooseEmbedder(config(), environment),
    secrets: () => secretsOf(config(), environment),
  };
}

function settingsWith(
  config: ModelsConfig,
  unstored: Unstored | undefined,
  reference: string | undefined,
): ModelsConfig {
  if (unstored === undefined || reference === undefined) return config;
  const id = reference.slice(0, Math.max(0, reference.indexOf('/')));
  return { ...config, providers: { ...config.providers, [id]: unstored.entry } };
}

/** Without a reference the home's model. Throws PEG_CONFIG, and PEG_NO_MODEL. */
function chooseFor(
  reference: string | undefined,
  settings: ModelsConfig,
  environment: Environment,
): ChosenModel {
  if (reference !== undefined) return chooseNamed(reference, settings, environment);
  const [first] = chooseModels(undefined, settings, environment);
  if (!first) throw noModelError();
  return first;
}

interface Protocol {
  open(settings: ModelSettings, quirks: Provider['quirks']): MaybePromise<Model>;
}

/** The protocols that the host implements; plugins add others. */
const protocols = new Map<string, Protocol>([
  ['openai_compat', { open: (settings, quirks) => createOpenAiModel({ ...settings, quirks }) }],
  ['anthropic', { open: createAnthropicModel }],
]);

const isOwn = (opener: Protocol): boolean => [...protocols.values()].includes(opener);

function openerOf({ id, backend }: Provider, providers: ReadonlyMap<string, ModelProvider>): Protocol {
  const opener = providers.get(backend) ?? protocols.get(backend);
  if (opener) return opener;
  const known = [...protocols.keys(), ...providers.keys()].join(', ');
  throw new PegboardError(
    'PEG_CONFIG',
    `models.providers.${id}.backend in pegboard.yaml is "${backend}", which is not available. Available backends: ${known}.`,
  );
}

interface OpenOptions extends Required<Pick<ModelsOptions, 'log' | 'listings' | 'retries' | 'spend'>> {
  readonly unpriced: Unpriced;
}

async function open(
  opener: Protocol,
  { provider, name: named }: ChosenModel,
  brain: Brain | undefined,
  homeWindow: number | undefined,
  { log, listings, retries, spend, unpriced }: OpenOptions,
): Promise<Model> {
  const wrong = isOwn(opener) ? addressProblem(provider) : undefined;
  if (wrong !== undefined) throw new PegboardError('PEG_CONFIG', wrong);
  const name = named ?? (await firstListed(provider));
  const window = brain?.contextWindow ?? homeWindow ?? (await contextWindowOf(provider, name, listings));
  const { timeout, apiKey, quirks } = provider;
  const settings: ModelSettings = {
    id: `${provider.id}/${name}`,
    name,
    contextWindow: window,
    maxTools: provider.maxTools,
    baseUrl: provider.baseUrl,
    ...(apiKey !== undefined && { apiKey }),
    headers: provider.headers,
    ...(timeout !== undefined && {
      idleTimeouts: { firstMs: timeout * 1000, nextMs: Math.min(timeout * 1000, defaultIdleTimeouts.nextMs) },
    }),
    ...(retries.clock && { clock: retries.clock }),
    ...(brain?.temperature !== undefined && { temperature: brain.temperature }),
    ...(brain?.maxTokens !== undefined && { maxTokens: brain.maxTokens }),
  };
  const opened = await opener.open(settings, quirks);
  const model = isOwn(opener) ? opened : checkModel(opened, settings.id);
  const listed = (): Promise<ListedPrice | undefined> => priceOf(provider, name, listings, isOwn(opener));
  const priced = withPrice(model, { provider, priceOf: listed, spend, unpriced });
  const nativeToolUse = brain && brain.nativeToolUse !== 'auto' ? brain.nativeToolUse : provider.nativeTools;
  return withToolMode(withRetry(priced, retries), nativeToolUse, log);
}

function secretsOf(config: ModelsConfig, environment: Environment): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>();
  // `credentialsIn` skips placeholders such as "ollama" and "none".
  const found = (name: string, value: string): void => {
    for (const secret of credentialsIn(name, value)) secrets.set(name, secret);
  };
  for (const preset of Object.values<Preset>(presets)) {
    const value = environment[preset.keyVariable ?? ''];
    if (value) found(preset.keyVariable!, value);
  }
  for (const [id, { api_key: key }] of Object.entries(config.providers ?? {})) {
    if (key) found(`models.providers.${id}.api_key`, key);
  }
  for (const entry of ['embeddings', 'transcription', 'speech'] as const) {
    const key = config[entry]?.api_key;
    if (key) found(`models.${entry}.api_key`, key);
  }
  return secrets;
}
