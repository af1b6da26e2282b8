import { PegboardError } from '../../../core/errors.ts';
import type { ModelsConfig } from './config.ts';
import { presetOf, presets, toolLimitAt, type Preset } from './presets.ts';

/** Where requests go and how: a preset, what the config says of it, and the environment, in one. */
export interface Provider {
  readonly id: string;
  readonly baseUrl: string;
  readonly backend: string;
  readonly apiKey?: string;
  readonly headers: { readonly [name: string]: string };
  readonly nativeTools: boolean | 'auto';
  readonly quirks: NonNullable<Preset['quirks']>;
  /** On this machine. */
  readonly local: boolean;
  readonly defaultModel?: string;
  /** Seconds until the first word of an answer. */
  readonly timeout?: number;
  readonly contextWindow?: number;
  /** Tools in one request; absent: any number. */
  readonly maxTools?: number;
}

export type Environment = { readonly [name: string]: string | undefined };

/** Undefined for an id that neither the config nor Pegboard knows. Throws PEG_CONFIG for one without an address. */
export function findProvider(
  id: string,
  config: ModelsConfig,
  environment: Environment,
): Provider | undefined {
  const own = config.providers?.[id];
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
  // Another server behind a known name: what holds for the known one need not hold for it.
  const quirks = elsewhere === undefined ? (preset?.quirks ?? {}) : {};
  const { timeout, contextWindow, maxTools = toolLimitAt(baseUrl) } = own ?? {};
  return {
    id,
    baseUrl,
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

/** Where the provider is by its own variable, if that says something. */
function addressIn(environment: Environment, id: string): string | undefined {
  if (id === 'openai') return nonEmpty(environment['OPENAI_BASE_URL']);
  if (id !== 'ollama') return undefined;
  const host = nonEmpty(environment['OLLAMA_HOST']);
  return host === undefined ? undefined : ollamaAddress(host);
}

/** As Ollama reads it: scheme, port and path may be missing, and an address to listen on stands for this machine. */
function ollamaAddress(host: string): string | undefined {
  const url = URL.parse(/^https?:\/\//.test(host) ? host : `http://${host.replace(/^:/, '127.0.0.1:')}`);
  if (!url) return undefined;
  if (['0.0.0.0', '[::]'].includes(url.hostname)) url.hostname = '127.0.0.1';
  if (url.port === '' && !/^https?:/.test(host)) url.port = '11434';
  return `${url.href.replace(/\/+$/, '')}/v1`;
}

/** It has a key or needs none: it stands in the config, runs here, or is at an address of one's own. */
export function isUsable({ id, baseUrl, apiKey }: Provider, config: ModelsConfig): boolean {
  const preset = presetOf(id);
  if (apiKey !== undefined || !preset || preset.local) return true;
  return config.providers?.[id] !== undefined || baseUrl !== preset.baseUrl;
}

export const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);
