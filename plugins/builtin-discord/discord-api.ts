import { toJson } from 'pegboard';
import { createJsonApi, type AccountAccess, type ApiError, type JsonApi } from 'pegboard/channels';

/** Discord refuses other forms (discord.com/developers/docs/reference#user-agent). */
const userAgent = 'DiscordBot (https://pegboard.dev, 0.1.0)';

export const createDiscordApi = ({ token, root }: AccountAccess): JsonApi =>
  createJsonApi({
    title: 'Discord',
    root,
    headers: { authorization: `Bot ${token}`, 'user-agent': userAgent },
    readError,
  });

interface ErrorAnswer {
  readonly message?: string;
  readonly errors?: object;
  readonly retry_after?: number;
  readonly global?: boolean;
}

/** Characters of what Discord says about the members of a refused body. */
const maxDetailsLength = 300;

function readError(answer: ErrorAnswer, status: number): ApiError {
  const { message, errors, retry_after: seconds, global: blocksAll } = answer;
  const details = errors ? ` ${toJson(errors).slice(0, maxDetailsLength)}` : '';
  return {
    reason: message && message + details,
    // Messages have a nonce, so one that arrived all the same doesn't arrive twice.
    kind: status >= 500 ? 'notSent' : undefined,
    seconds,
    blocksAll,
  };
}
