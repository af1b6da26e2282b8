import { PegboardError } from '../../../core/errors.ts';
import type { ModelsConfig } from '../../../formats/models.ts';
import { presetOf, presets, toolLimitAt, type Preset } from './presets.ts';

/** Where and how requests are sent: preset, config and environment combined. */
export interface Provider {
  readonly id: string;
  readonly baseUrl: string;
  /** What a person corrects: "OPENAI_BASE_URL", "models.providers.mine.base_url in pegboard.yaml". */
  readonly addressPlace: string;
  /** "OPENAI_API_KEY, or models.providers.openai.api_key in pegboard.yaml" */
  readonly keyPlace: string;
  readonly backend: string;
  readonly apiKey?: string;
  readonly headers: { readonly [name: string]: string };
  readonly nativeTools: boolean | 'auto';
  readonly quirks: NonNullable<Preset['quirks']>;
  /** On this machine. */
  readonly local: boolean;
  readonly defaultModel?: string;
  /** Seconds until the first chunk of a response. */
  readonly timeout?: number;
  readonly contextWindow?: number;
  /** Maximum number of tools in one request; absent: any number. */
  readonly maxTools?: number;
}

/** The provider in pegboard.yaml of an address that was typed into set-up. */
export const ownProvider = 'own';

export type Environment = { readonly [name: string]: string | undefined };

/** Undefined for an id that neither the config nor a preset has. Throws PEG_CONFIG for one without a base URL. */
export function findProvider(
  id: string,
  config: ModelsConfig,
  environment: Environment,
): Provider | undefined {
  const { providers = {} } = config;
  const own = Object.hasOwn(providers, id) ? providers[id] : undefined;
  const preset = presetOf(id);
  if (!own && !preset) return undefined;
  const elsewhere = own?.base_url ?? addressIn(environment, id);
  const baseUrl = elsewhere ?? preset?.baseUrl;
  if (baseUrl === undefined) {
    throw new PegboardError(
      'PEG_CONFIG',
      `models.providers.${id} in pegboard.yaml needs a base_url: Pegboard knows the address of ${Object.keys(presets).join(', ')} only.`,
    );
  }
  const apiKey = nonEmpty(own?.api_key) ?? nonEmpty(environment[preset?.keyVariable ?? '']);
  // With another base URL, the preset's quirks may not apply.
  const quirks = elsewhere === undefined ? (preset?.quirks ?? {}) : {};
  const { timeout, contextWindow, maxTools = toolLimitAt(baseUrl) } = own ?? {};
  const inConfig = `models.providers.${id}`;
  const isFromEnvironment = own?.base_url === undefined && elsewhere !== undefined;
  const keyInConfig = `${inConfig}.api_key in pegboard.yaml`;
  return {
    id,
    baseUrl,
    addressPlace: isFromEnvironment ? addressVariable(id) : `${inConfig}.base_url in pegboard.yaml`,
    keyPlace: preset?.keyVariable === undefined ? keyInConfig : `${preset.keyVariable}, or ${keyInConfig}`,
    backend: own?.backend ?? preset?.backend ?? 'openai_compat',
    ...(apiKey !== undefined && { apiKey }),
    headers: own?.headers ?? {},
    nativeTools: own?.native_tool_use ?? (preset && !preset.nativeTools ? false : 'auto'),
    quirks,
    local: preset?.local === true,
    ...(elsewhere === undefined && preset?.defaultModel && { defaultModel: preset.defaultModel }),
    ...(timeout !== undefined && { timeout }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxTools !== undefined && { maxTools }),
  };
}

const addressVariable = (id: string): string =>
  id === 'ollama' ? 'OLLAMA_HOST' : `${id.toUpperCase()}_BASE_URL`;

/** The base URL from the provider's own environment variable. */
function addressIn(environment: Environment, id: string): string | undefined {
  if (id !== 'openai' && id !== 'ollama') return undefined;
  const given = nonEmpty(environment[addressVariable(id)]);
  return given !== undefined && id === 'ollama' ? ollamaAddress(given) : given;
}

/** Parsed like Ollama does: scheme, port and path are optional, and a wildcard address means this machine. */
function ollamaAddress(host: string): string | undefined {
  const url = URL.parse(/^https?:\/\//.test(host) ? host : `http://${host.replace(/^:/, '127.0.0.1:')}`);
  if (!url) return undefined;
  if (['0.0.0.0', '[::]'].includes(url.hostname)) url.hostname = '127.0.0.1';
  if (url.port === '' && !/^https?:/.test(host)) url.port = '11434';
  return `${url.href.replace(/\/+$/, '')}/v1`;
}

/** What is wrong with its base URL, as a sentence that says where it is set; undefined where nothing is. */
export function addressProblem({ baseUrl, addressPlace }: Provider): string | undefined {
  const mistake = addressMistake(baseUrl);
  return mistake === undefined ? undefined : `${addressPlace} ${mistake}`;
}

/** What is wrong with an address of a server of models, as the end of a sentence. */
export function addressMistake(text: string): string | undefined {
  const url = URL.parse(text);
  if (!/^https?:$/.test(url?.protocol ?? ''))
    return 'is not an address: it begins with http:// or https://, as in https://models.example/v1.';
  return url!.username + url!.password === ''
    ? undefined
    : 'has a user name or password in it, which no request can have: leave it out, and give a key instead.';
}

/** Whether it has a key or needs none: it is in the config, runs locally, or has a custom base URL. */
export function isUsable({ id, baseUrl, apiKey }: Provider, config: ModelsConfig): boolean {
  const preset = presetOf(id);
  if (apiKey !== undefined || !preset || preset.local) return true;
  return config.providers?.[id] !== undefined || baseUrl !== preset.baseUrl;
}

export const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);
