import type { Brain } from '../../api/agent.ts';
import type { Logger } from '../../api/log.ts';
import type { Model } from '../../api/model.ts';
import { PegboardError } from '../../core/errors.ts';
import { credentialsIn } from '../../core/secrets/credentials.ts';
import type { Redactor } from '../../core/secrets/redact.ts';
import { listModels } from './wire/ask-server.ts';
import { chooseModels, chooseNamed, type ChosenModel } from './choice/choose.ts';
import type { ModelsConfig } from './choice/config.ts';
import { contextWindowOf } from './choice/context-window.ts';
import { chooseEmbedder, type EmbedderSettings } from './choice/embedder-settings.ts';
import { withFallback } from './fallback.ts';
import { defaultIdleTimeouts } from './idle.ts';
import { findLocalModels, type LocalServer } from './choice/local-models.ts';
import { createAnthropicModel } from './anthropic/anthropic-model.ts';
import { createOpenAiModel } from './openai-model.ts';
import { presets, type Preset } from './choice/presets.ts';
import { nonEmpty, type Environment } from './choice/provider.ts';
import { defaultRetries, withRetry, type RetryOptions } from './retry.ts';
import { withToolMode } from './text-tools/tool-mode.ts';
import type { WindowCache } from './choice/window-cache.ts';
import { withoutSecrets } from './without-secrets.ts';

export interface ModelsOptions {
  /** Asked each time: the file may have changed. */
  readonly config: () => ModelsConfig;
  readonly environment: Environment;
  readonly log: Logger;
  readonly windows: WindowCache;
  /** What it knows is neither sent to a model nor heard from one. */
  readonly redactor: Redactor;
  readonly retries?: RetryOptions;
}

/** The models that a home has. */
export interface Models {
  /**
   * The brain's model with its fallbacks, or the home's; undefined when there is none. The same settings give the
   * same model. Throws PEG_CONFIG for a name that leads nowhere.
   */
  resolve(brain?: Brain): Promise<Model | undefined>;
  /** MEMORY_WORKER_MODEL; undefined when it isn't set. */
  worker(): Promise<Model | undefined>;
  /** Servers on this machine that could be connected. */
  local(): Promise<readonly LocalServer[]>;
  /** Where embeddings come from; undefined when there are none. */
  embedder(): EmbedderSettings | undefined;
  /** Values that must never be shown, by the name to show instead. */
  secrets(): ReadonlyMap<string, string>;
}

export function createModels({
  config,
  environment,
  log,
  windows,
  redactor,
  retries = defaultRetries,
}: ModelsOptions): Models {
  // A model remembers what its server doesn't take.
  const made = new Map<string, Promise<Model>>();

  const make = (
    choice: ChosenModel,
    brain: Brain | undefined,
    homeWindow: number | undefined,
  ): Promise<Model> => {
    const key = JSON.stringify([choice, brain, homeWindow]);
    const existing = made.get(key);
    if (existing) return existing;
    const model = open(choice, brain, homeWindow, { log, windows, retries });
    made.set(key, model);
    model.catch(() => made.delete(key));
    return model;
  };
  const withFallbacks = async (
    choices: readonly ChosenModel[],
    brain?: Brain,
  ): Promise<Model | undefined> => {
    const window = brain?.model === undefined ? config().contextWindow : undefined;
    const models = await Promise.all(
      choices.map((choice, index) => make(choice, brain, index === 0 ? window : undefined)),
    );
    const [first, ...others] = models;
    return first && withoutSecrets(withFallback([first, ...others]), redactor);
  };

  return {
    resolve: async (brain) => withFallbacks(chooseModels(brain, config(), environment), brain),
    worker: async () => {
      const name = nonEmpty(environment['MEMORY_WORKER_MODEL']);
      return name === undefined ? undefined : withFallbacks([chooseNamed(name, config(), environment)]);
    },
    local: () => findLocalModels(environment),
    embedder: () => chooseEmbedder(config(), environment),
    secrets: () => secretsOf(config(), environment),
  };
}

async function open(
  { provider, name: named }: ChosenModel,
  brain: Brain | undefined,
  homeWindow: number | undefined,
  { log, windows, retries }: Required<Pick<ModelsOptions, 'log' | 'windows' | 'retries'>>,
): Promise<Model> {
  const name = named ?? (await firstListed(provider));
  const window = brain?.contextWindow ?? homeWindow ?? (await contextWindowOf(provider, name, windows));
  const { timeout, apiKey, backend } = provider;
  const settings = {
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
    ...(brain?.temperature !== undefined && { temperature: brain.temperature }),
    ...(brain?.maxTokens !== undefined && { maxTokens: brain.maxTokens }),
  };
  const model =
    backend === 'anthropic'
      ? createAnthropicModel(settings)
      : createOpenAiModel({ ...settings, quirks: provider.quirks });
  const told = brain && brain.nativeToolUse !== 'auto' ? brain.nativeToolUse : provider.nativeTools;
  return withToolMode(withRetry(model, retries), told, log);
}

async function firstListed(provider: ChosenModel['provider']): Promise<string> {
  const [first] = (await listModels(provider)) ?? [];
  if (first !== undefined) return first;
  throw new PegboardError(
    'PEG_CONFIG',
    `${provider.baseUrl} lists no model. Set PEGBOARD_MODEL, or models.default in pegboard.yaml, to the one to use.`,
  );
}

function secretsOf(config: ModelsConfig, environment: Environment): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>();
  // "ollama" and "none" stand for no key.
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
  if (config.embeddings?.api_key) found('models.embeddings.api_key', config.embeddings.api_key);
  return secrets;
}
