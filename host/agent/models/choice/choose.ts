import { pegboard } from '../../../core/own-command.ts';
import type { Brain } from '../../../api/agent.ts';
import { PegboardError } from '../../../core/errors.ts';
import { nearest } from '../../../core/documents/nearest.ts';
import type { ModelsConfig } from '../../../formats/models.ts';
import { presetOf, presets } from './presets.ts';
import { findProvider, isUsable, nonEmpty, type Environment, type Provider } from './provider.ts';

/** `Brain.backend` where it names no provider. */
const homeBackend = 'openai_compat';

/** A model at its provider. Without a name, the first that the server lists. */
export interface ChosenModel {
  readonly provider: Provider;
  readonly name: string | undefined;
}

/**
 * The models of a brain, in order of preference: its own, else the config's, else PEGBOARD_MODEL, else what a key or
 * address in the environment allows. Empty when there is none. Throws PEG_CONFIG for a name that can't be resolved, and for
 * an unknown backend.
 */
export function chooseModels(
  brain: Brain | undefined,
  config: ModelsConfig,
  environment: Environment,
): ChosenModel[] {
  const named = brain?.model ?? config.default ?? nonEmpty(environment['PEGBOARD_MODEL']);
  const fallback = brain?.fallback?.length ? brain.fallback : (config.fallback ?? []);
  const backend = brain?.backend ?? homeBackend;
  if (backend !== homeBackend && !findProvider(backend, config, environment))
    throw unknownBackend(backend, config);
  const first =
    named === undefined
      ? defaultModelIn(config, environment)
      : chooseNamed(named, config, environment, backend);
  const others = fallback.map((name) => chooseNamed(name, config, environment, backend));
  return [first, ...others].filter((choice) => choice !== undefined);
}

/** Its full name: "openai/gpt-5". */
export const fullName = ({ provider, name }: ChosenModel): string =>
  `${provider.id}/${name ?? '(the first it lists)'}`;

/** The configuration with the providers of plugins, which need no entry of their own. */
export function withPluginProviders(config: ModelsConfig, ids: Iterable<string>): ModelsConfig {
  const brought = [...ids].map(
    (id) => [id, { base_url: '', backend: id, ...config.providers?.[id] }] as const,
  );
  if (brought.length === 0) return config;
  return { ...config, providers: { ...config.providers, ...Object.fromEntries(brought) } };
}

/** Why a text can name no model, as a sentence. Names may be paths on the server: "vllm//models/small". */
export function nameMistake(reference: string): string | undefined {
  const name = reference.replace(/^[^/]+\//, '');
  if (/[\p{Cc}\u2028\u2029]/u.test(reference))
    return "A model's name is one line without control characters.";
  if (/[^/\s]/.test(name)) return undefined;
  return `"${reference}" names no model: write "provider/model", or the name of a model at the home's provider.`;
}

/** Throws PEG_CONFIG for a text that can name no model. */
export function checkName(reference: string): void {
  const mistake = nameMistake(reference);
  if (mistake !== undefined) throw new PegboardError('PEG_CONFIG', mistake);
}

/** "provider/model", or a name at the home's provider. Throws PEG_CONFIG. */
export function chooseNamed(
  reference: string,
  config: ModelsConfig,
  environment: Environment,
  backend: Brain['backend'] = homeBackend,
): ChosenModel {
  checkName(reference);
  const slash = reference.indexOf('/');
  const prefix = slash > 0 ? reference.slice(0, slash) : undefined;
  const named = prefix === undefined ? undefined : findProvider(prefix, config, environment);
  if (named && isUsable(named, config)) return modelAt(named, reference.slice(slash + 1));
  // OpenRouter also uses names such as "anthropic/claude-…".
  const router = findProvider('openrouter', config, environment)!;
  if (named && isUsable(router, config)) return modelAt(router, reference);
  if (named) throw missingKey(reference, prefix!);
  const own = backend === homeBackend ? undefined : findProvider(backend, config, environment);
  if (own && !isUsable(own, config)) throw missingKey(reference, own.id);
  const home = own ?? homeProvider(config, environment, prefix !== undefined);
  if (home && !(prefix !== undefined && isOfficial(home))) return modelAt(home, reference);
  throw unknownProvider(reference, prefix, config);
}

function defaultModelIn(config: ModelsConfig, environment: Environment): ChosenModel | undefined {
  const provider = homeProvider(config, environment, false);
  return provider && { provider, name: provider.defaultModel };
}

/** The provider for a name without one. `slashed`: names with a slash are OpenRouter's style. */
function homeProvider(
  config: ModelsConfig,
  environment: Environment,
  slashed: boolean,
): Provider | undefined {
  // A plugin's provider has no address unless the owner gave it one, and answers only when a model names it.
  const configured = Object.entries(config.providers ?? {}).flatMap(([id, own]) =>
    own.base_url === '' ? [] : id,
  );
  const ofDefault = config.default?.split('/')[0] ?? '';
  const candidates = [
    nonEmpty(environment['OPENAI_BASE_URL']) && 'openai',
    configured.length === 1 ? configured[0] : undefined,
    configured.includes(ofDefault) || presetOf(ofDefault) ? ofDefault : undefined,
    ...(slashed ? ['openrouter', 'openai'] : ['openai', 'openrouter']),
  ];
  for (const id of candidates) {
    const provider = id ? findProvider(id, config, environment) : undefined;
    if (provider && isUsable(provider, config)) return provider;
  }
  return undefined;
}

/** OpenRouter names models "maker/model", and its own "openrouter/auto". */
function modelAt(provider: Provider, name: string): ChosenModel {
  const own = provider.id === 'openrouter' && !name.includes('/');
  return { provider, name: own ? `openrouter/${name}` : name };
}

const isOfficial = ({ id, baseUrl }: Provider): boolean =>
  id !== 'openrouter' && baseUrl === presetOf(id)?.baseUrl;

function missingKey(reference: string, id: string): PegboardError {
  const variable = presetOf(id)?.keyVariable;
  const what =
    variable === undefined
      ? `models.providers.${id}.api_key in pegboard.yaml.`
      : `a key: \`${pegboard} setup\` asks for it, \`${pegboard} secret set ${variable}\` stores it, and api_key: \${${variable}} under models.providers.${id} in pegboard.yaml takes that of your shell in a project's home, too.`;
  return new PegboardError('PEG_CONFIG', `The model "${reference}" needs ${what}`, {
    ...(variable !== undefined && { data: { variable } }),
  });
}

function unknownProvider(reference: string, prefix: string | undefined, config: ModelsConfig): PegboardError {
  if (prefix === undefined) {
    return new PegboardError(
      'PEG_CONFIG',
      `There is no provider for the model "${reference}". Write "provider/${reference}", or set OPENAI_API_KEY, OPENAI_BASE_URL or OPENROUTER_API_KEY.`,
    );
  }
  return new PegboardError(
    'PEG_CONFIG',
    `There is no provider "${prefix}" for the model "${reference}". ${providerHint(reference, prefix, config)}`,
  );
}

/** What a provider that doesn't exist may have been meant to be. */
export function providerHint(reference: string, prefix: string, config: ModelsConfig): string {
  const known = knownProviders(config);
  const [near] = nearest(prefix, known);
  return near === undefined
    ? `The providers are ${known.join(', ')}; others go under models.providers in pegboard.yaml.`
    : `Did you mean "${near}${reference.slice(prefix.length)}"?`;
}

function unknownBackend(backend: string, config: ModelsConfig): PegboardError {
  const known = [homeBackend, ...knownProviders(config)].join(', ');
  return new PegboardError(
    'PEG_CONFIG',
    `The agent's brain.backend is "${backend}", but there is no such provider. The providers are ${known}.`,
  );
}

const knownProviders = (config: ModelsConfig): readonly string[] => [
  ...new Set([...Object.keys(config.providers ?? {}), ...Object.keys(presets)]),
];
