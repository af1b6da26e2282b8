import type { ModelUsage, Recording } from '../../../api/model.ts';
import { parseJson } from '../../../core/documents/written-numbers.ts';
import { PegboardError } from '../../../core/errors.ts';
import { readAtMost } from '../../../core/http/read-at-most.ts';
import { shortSize } from '../../../core/text/short-size.ts';
import type { ModelEndpoint } from '../choice/endpoint.ts';
import { postToEndpoint } from './post-to-endpoint.ts';

/** OpenAI's own limit. */
const maxRecordingBytes = 25_000_000;
const maxAnswerBytes = 5_000_000;

/** Asks a server with OpenAI's `/audio/transcriptions`. Throws as `Speech.transcribe`. */
export async function transcribe(
  { bytes, name, mimeType }: Recording,
  endpoint: ModelEndpoint,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly usage: ModelUsage }> {
  if (bytes.length > maxRecordingBytes)
    throw new PegboardError(
      'PEG_LIMIT',
      `The recording has ${shortSize(bytes.length)}; up to ${shortSize(maxRecordingBytes)} are transcribed.`,
    );
  const body = new FormData();
  body.set('file', new Blob([Uint8Array.from(bytes)], { type: mimeType }), name);
  body.set('model', endpoint.model);
  body.set('response_format', 'json');
  return await postToEndpoint(
    endpoint,
    {
      path: '/audio/transcriptions',
      body,
      what: 'transcript',
      setting: 'models.transcription',
      async read(response, unusable) {
        const answer = readAnswer(await readAtMost(response, maxAnswerBytes));
        if (typeof answer?.text !== 'string') throw unusable('the answer has no text.');
        return { text: answer.text.trim(), usage: usageIn(answer.usage) };
      },
    },
    signal,
  );
}

interface Answer {
  readonly text?: unknown;
  readonly usage?: unknown;
}

/** Undefined for anything but a JSON object. */
function readAnswer(bytes: Buffer | undefined): Answer | undefined {
  try {
    const answer: unknown = parseJson(bytes?.toString('utf8') ?? '');
    return typeof answer === 'object' && answer !== null ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** Tokens, and the cost if the server states it. Some servers count seconds instead. */
function usageIn(usage: unknown): ModelUsage {
  const { input_tokens: input, output_tokens: output, cost } = (usage ?? {}) as Record<string, unknown>;
  return {
    input: typeof input === 'number' ? input : 0,
    output: typeof output === 'number' ? output : 0,
    ...(typeof cost === 'number' && { cost }),
  };
}
