import type { OpenAiModelOptions } from '../openai-model.ts';

/** A provider with a built-in name. */
export interface Preset {
  readonly baseUrl: string;
  /** Speaks Anthropic's Messages API instead of OpenAI's chat completions. */
  readonly backend?: 'anthropic';
  /** The environment variable that holds its key. */
  readonly keyVariable?: string;
  /** Runs on this machine, without a key. */
  readonly local?: true;
  /** Supports `tools` in requests. False: tool calls are text, unless config or agent say otherwise. */
  readonly nativeTools: boolean;
  /** Used when there is a key and no model is named. */
  readonly defaultModel?: string;
  readonly quirks?: NonNullable<OpenAiModelOptions['quirks']>;
}

/** `nativeTools` as for most of their models; base URLs from the providers' documentation of their OpenAI-compatible API. */
export const presets = {
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    nativeTools: true,
    defaultModel: 'gpt-5-mini',
    quirks: { limit: 'max_completion_tokens' },
  },
  openrouter: {
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
    nativeTools: true,
    defaultModel: 'openai/gpt-5-mini',
  },
  anthropic: {
    baseUrl: 'https://api.anthropic.com/v1',
    backend: 'anthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
    nativeTools: true,
  },
  gemini: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyVariable: 'GEMINI_API_KEY',
    nativeTools: true,
    // From Google's documentation of thought signatures, for calls of other models.
    quirks: { unsigned: { google: { thought_signature: 'skip_thought_signature_validator' } } },
  },
  groq: { baseUrl: 'https://api.groq.com/openai/v1', keyVariable: 'GROQ_API_KEY', nativeTools: true },
  mistral: {
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariable: 'MISTRAL_API_KEY',
    nativeTools: true,
    quirks: { noStreamOptions: true, shortCallIds: true },
  },
  deepseek: { baseUrl: 'https://api.deepseek.com/v1', keyVariable: 'DEEPSEEK_API_KEY', nativeTools: true },
  xai: { baseUrl: 'https://api.x.ai/v1', keyVariable: 'XAI_API_KEY', nativeTools: true },
  together: { baseUrl: 'https://api.together.xyz/v1', keyVariable: 'TOGETHER_API_KEY', nativeTools: true },
  fireworks: {
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    keyVariable: 'FIREWORKS_API_KEY',
    nativeTools: true,
  },
  cerebras: { baseUrl: 'https://api.cerebras.ai/v1', keyVariable: 'CEREBRAS_API_KEY', nativeTools: true },
  perplexity: { baseUrl: 'https://api.perplexity.ai', keyVariable: 'PERPLEXITY_API_KEY', nativeTools: true },
  github_copilot: {
    baseUrl: 'https://api.githubcopilot.com',
    keyVariable: 'GITHUB_COPILOT_TOKEN',
    nativeTools: true,
  },
  ollama: { baseUrl: 'http://127.0.0.1:11434/v1', local: true, nativeTools: false },
  lmstudio: { baseUrl: 'http://127.0.0.1:1234/v1', local: true, nativeTools: false },
  vllm: {
    baseUrl: 'http://127.0.0.1:8000/v1',
    keyVariable: 'VLLM_API_KEY',
    local: true,
    nativeTools: false,
  },
} as const satisfies { readonly [id: string]: Preset };

/** Hosts that refuse requests with more tools; Azure has OpenAI's limit. */
const toolLimits: readonly (readonly [RegExp, number])[] = [
  [/(?:^|\.)openai\.com$/, 128],
  [/\.azure\.com$/, 128],
];

/** Maximum number of tools in a request to this base URL; undefined: any number. */
export function toolLimitAt(baseUrl: string): number | undefined {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  return toolLimits.find(([pattern]) => pattern.test(host))?.[1];
}

export const presetOf = (id: string): Preset | undefined =>
  Object.hasOwn(presets, id) ? presets[id as keyof typeof presets] : undefined;
