import { shownLine } from '../../../core/foreign/shown-text.ts';
import { pegboard } from '../../../core/own-command.ts';
import { PegboardError } from '../../../core/errors.ts';
import { listModels } from '../wire/ask-server.ts';
import { findProvider, type Environment } from './provider.ts';

/** A model server on this machine that is not configured. */
export interface LocalServer {
  /** "ollama" */
  readonly provider: string;
  /** Display name. */
  readonly name: string;
  readonly models: readonly string[];
}

/** A closed port refuses immediately; a server on a busy machine may take a while. */
const timeoutMs = 5_000;

/**
 * Ollama and LM Studio on their default ports, Ollama also at OLLAMA_HOST, if they run and have a model. They are
 * suggested, never used automatically.
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

/** PEG_NO_MODEL: how to connect a model, and which local servers were found. */
export function noModelError(found: readonly LocalServer[] = []): PegboardError {
  const local = found.map(
    ({ provider, name, models: [first = ''] }) =>
      `${name} runs on this machine: set PEGBOARD_MODEL=${provider}/${shownLine(first)}, or write models: { default: ${provider}/${shownLine(first)} } in pegboard.yaml.`,
  );
  const lines = [
    `No model is connected. \`${pegboard} setup\` asks for one and tests it. Or set one of these (\`${pegboard} secret set NAME\` stores a key):`,
    ...local,
    '- OPENAI_API_KEY=…      (and PEGBOARD_MODEL=openai/gpt-5 for another model than the default)',
    '- OPENROUTER_API_KEY=…  (and PEGBOARD_MODEL=openrouter/anthropic/claude-sonnet-4.5)',
    '- PEGBOARD_MODEL=ollama/llama3.2  (with Ollama running on this machine)',
  ];
  return new PegboardError('PEG_NO_MODEL', lines.join('\n'), { data: { local: found } });
}
