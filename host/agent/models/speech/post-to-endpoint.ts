import { PegboardError } from '../../../core/errors.ts';
import { postRetrying, type Post, type PostLimits } from '../../../core/http/post-retrying.ts';
import type { ModelEndpoint } from '../choice/endpoint.ts';
import { asSentence } from '../../../core/text/as-sentence.ts';

/** A recording of some minutes takes a while, and somebody waits for the answer. */
const limits: PostLimits = { timeoutMs: 120_000, attempts: 3, firstDelayMs: 1_000, maxDelayMs: 20_000 };

/** Why an answer of the server can't be used. */
export type Unusable = (why: string) => PegboardError;

/** `setting`: where the model is named. `what`: "transcript". */
export async function postToEndpoint<Answer>(
  { model, baseUrl, apiKey, headers }: ModelEndpoint,
  {
    path,
    body,
    what,
    setting,
    read,
  }: Pick<Post<Answer>, 'body'> & {
    readonly path: string;
    readonly what: string;
    readonly setting: string;
    readonly read: (response: Response, unusable: Unusable) => Promise<Answer>;
  },
  signal: AbortSignal,
): Promise<Answer> {
  const url = `${baseUrl.replace(/\/+$/, '')}${path}`;
  const unavailable = (why: string): PegboardError =>
    new PegboardError('PEG_MODEL_UNAVAILABLE', `No ${what} from ${url} (model ${model}): ${why}`);
  const post: Post<Answer> = {
    url,
    headers: {
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...headers,
    },
    body,
    read: (response) => read(response, unavailable),
    errors: {
      unavailable,
      refused: (why) =>
        new PegboardError(
          'PEG_MODEL_REFUSED',
          `${url} refuses to make a ${what} with model ${model}: ${asSentence(why)} Check ${setting} in pegboard.yaml.`,
        ),
      cancelled: () => new PegboardError('PEG_CANCELLED', `The request for a ${what} was cancelled.`),
    },
  };
  return await postRetrying(post, limits, signal);
}
