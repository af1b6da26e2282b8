import { readAtMost } from '../../../core/http/read-at-most.ts';
import type { ModelEndpoint } from '../choice/endpoint.ts';
import { postToEndpoint } from './post-to-endpoint.ts';

const maxAnswerBytes = 20 * 1024 * 1024;
/** OpenAI's own limit is 4,096 characters. */
const maxLength = 4_000;
const defaultVoice = 'alloy';

/** Asks a server with OpenAI's `/audio/speech` for an Ogg file with Opus. Throws as `Speech.speak`. */
export async function speak(
  text: string,
  { voice = defaultVoice, ...endpoint }: ModelEndpoint & { readonly voice: string | undefined },
  signal: AbortSignal,
): Promise<Buffer> {
  const { model } = endpoint;
  return await postToEndpoint(
    endpoint,
    {
      path: '/audio/speech',
      body: JSON.stringify({ model, voice, input: beginningOf(text), response_format: 'opus' }),
      what: 'recording',
      setting: 'models.speech',
      async read(response, unusable) {
        const bytes = await readAtMost(response, maxAnswerBytes);
        if (!bytes?.subarray(0, 4).equals(Buffer.from('OggS'))) throw unusable('the answer is no Ogg file.');
        return bytes;
      },
    },
    signal,
  );
}

/** Up to the last end of a sentence or line within the limit. */
function beginningOf(text: string): string {
  if (text.length <= maxLength) return text;
  const beginning = text.slice(0, maxLength);
  const end = Math.max(...['\n', '. ', '! ', '? ', '。'].map((mark) => beginning.lastIndexOf(mark)));
  return end > 0 ? beginning.slice(0, end + 1) : beginning;
}
