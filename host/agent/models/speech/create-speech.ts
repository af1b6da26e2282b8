import type { ModelUsage, Speech } from '../../../api/model.ts';
import { PegboardError } from '../../../core/errors.ts';
import type { ModelsConfig } from '../../../formats/models.ts';
import { chooseEndpoint, type ModelEndpoint } from '../choice/endpoint.ts';
import type { Environment } from '../choice/provider.ts';

/** Payment for one request. Disposing it without `settle` means that there was no response. */
interface Payment extends AsyncDisposable {
  settle(usage: ModelUsage): Promise<void>;
}

export interface SpeechOptions {
  readonly config: () => ModelsConfig;
  readonly environment: Environment;
  /** `payer`: the name in `pegboard usage`. Throws PEG_LIMIT when a cap is reached. */
  readonly pay: (payer: keyof Entries, model: string, signal: AbortSignal) => Promise<Payment>;
  readonly redact: (text: string) => string;
}

type Entries = Pick<ModelsConfig, 'transcription' | 'speech'>;

export function createSpeech({ config, environment, pay, redact }: SpeechOptions): Speech {
  const endpointOf = (entry: keyof Entries): ModelEndpoint => {
    const models = config();
    const written = models[entry];
    if (!written)
      throw new PegboardError('PEG_NO_MODEL', `models.${entry} in pegboard.yaml names no model yet.`);
    return chooseEndpoint(written, models, environment);
  };
  /** Pays for the request. A server may repeat the key that it refuses. */
  const ask = async <Answer>(
    entry: keyof Entries,
    request: (endpoint: ModelEndpoint) => Promise<Answer>,
    usageOf: (answer: Answer) => ModelUsage,
    signal: AbortSignal,
  ): Promise<Answer> => {
    const endpoint = endpointOf(entry);
    await using payment = await pay(entry, endpoint.model, signal);
    try {
      const answer = await request(endpoint);
      await payment.settle(usageOf(answer));
      return answer;
    } catch (thrown) {
      throw thrown instanceof PegboardError ? new PegboardError(thrown.code, redact(thrown.message)) : thrown;
    }
  };
  return {
    get hears() {
      return config().transcription !== undefined;
    },
    async transcribe(recording, signal) {
      const { transcribe } = await import('./transcribe.ts');
      const { text } = await ask(
        'transcription',
        (endpoint) => transcribe(recording, endpoint, signal),
        ({ usage }) => usage,
        signal,
      );
      return redact(text);
    },
    get speaks() {
      return config().speech !== undefined;
    },
    async speak(text, signal) {
      const { speak } = await import('./speak.ts');
      const { voice } = config().speech ?? {};
      return await ask(
        'speech',
        (endpoint) => speak(redact(text), { ...endpoint, voice }, signal),
        () => ({ input: 0, output: 0 }),
        signal,
      );
    },
  };
}
