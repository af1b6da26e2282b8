import { PegboardError } from '../../../core/errors.ts';
import { redirectedMessage, type ModelFailureData } from '../failure.ts';
import { getFromServer, idsIn } from '../wire/ask-server.ts';
import type { Provider } from './provider.ts';

const timeoutMs = 5000;

/** The model of a provider that none is named for. Throws a PegboardError where it lists none. */
export async function firstListed(provider: Provider): Promise<string> {
  const answer = await getFromServer(provider, 'models', timeoutMs);
  if ('unreachable' in answer) {
    throw new PegboardError(
      'PEG_MODEL_UNAVAILABLE',
      `${provider.baseUrl} could not be reached: ${answer.unreachable}.`,
      { data: { model: provider.id, connection: 'none' } satisfies ModelFailureData },
    );
  }
  if ('redirectedTo' in answer) {
    throw new PegboardError('PEG_MODEL_REFUSED', redirectedMessage(provider.id, answer.redirectedTo), {
      data: { model: provider.id } satisfies ModelFailureData,
    });
  }
  if ('status' in answer && (answer.status === 401 || answer.status === 403)) {
    const key = provider.apiKey === undefined ? 'wants a key' : 'refused the key';
    throw new PegboardError('PEG_MODEL_REFUSED', `${provider.baseUrl} ${key} (${answer.status}).`, {
      data: { model: provider.id, status: answer.status } satisfies ModelFailureData,
    });
  }
  const [first] = ('json' in answer ? idsIn(answer.json) : undefined) ?? [];
  if (first !== undefined) return first;
  throw new PegboardError(
    'PEG_CONFIG',
    `${provider.baseUrl} lists no model. Set PEGBOARD_MODEL, or models.default in pegboard.yaml, to the one to use.`,
  );
}
