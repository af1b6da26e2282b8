import type { Attributes } from '@opentelemetry/api';

/** Provider names of the semantic conventions, where Pegboard's differ. */
const conventional: { readonly [id: string]: string } = {
  gemini: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

/** Splits a configured id, "openai/gpt-5", into provider and model name. */
export function splitModel(id: string): { readonly provider: string; readonly name: string } {
  const slash = id.indexOf('/');
  const provider = id.slice(0, Math.max(0, slash));
  return { provider: conventional[provider] ?? (provider || '_OTHER'), name: id.slice(slash + 1) };
}

export function modelAttributes(id: string): Attributes {
  const { provider, name } = splitModel(id);
  return { 'gen_ai.provider.name': provider, 'gen_ai.request.model': name };
}
