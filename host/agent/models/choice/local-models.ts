import { PegboardError } from '../../../core/errors.ts';
import { listModels } from '../wire/ask-server.ts';
import { findProvider, type Environment } from './provider.ts';

/** A server of models on this machine that no config names. */
export interface LocalServer {
  /** "ollama" */
  readonly provider: string;
  /** What people call it. */
  readonly name: string;
  readonly models: readonly string[];
}

/** Milliseconds. Where no server is, the refusal comes at once; one on a busy machine may take a while. */
const timeoutMs = 5_000;

/**
 * Ollama and LM Studio on their usual ports, Ollama also where OLLAMA_HOST says, if they run and have a model. They are
 * offered, never just used.
 */
export async function findLocalModels(environment: Environment): Promise<LocalServer[]> {
  const found = await Promise.all(
    servers.map(async ({ provider, name }) => {
      const models = await listModels(findProvider(provider, {}, environment)!, timeoutMs);
      return { provider, name, models: models ?? [] };
    }),
  );
  return found.filter(({ models }) => models.length > 0);
}

const servers = [
  { provider: 'ollama', name: 'Ollama' },
  { provider: 'lmstudio', name: 'LM Studio' },
];

/** What to tell who has no model: how to connect one, in three lines, and which runs here already. */
export function noModelError(found: readonly LocalServer[] = []): PegboardError {
  const local = found.map(
    ({ provider, name, models }) =>
      `${name} runs on this machine: set PEGBOARD_MODEL=${provider}/${models[0]}, or write models: { default: ${provider}/${models[0]} } in pegboard.yaml.`,
  );
  const lines = [
    'No model is connected. Any one of these connects one:',
    ...local,
    '- OPENAI_API_KEY=…      (and PEGBOARD_MODEL=openai/gpt-5, if another than the usual one)',
    '- OPENROUTER_API_KEY=…  (and PEGBOARD_MODEL=openrouter/anthropic/claude-sonnet-4.5)',
    '- PEGBOARD_MODEL=ollama/llama3.2  (with Ollama running on this machine)',
  ];
  return new PegboardError('PEG_NO_MODEL', lines.join('\n'), { data: { local: found } });
}
