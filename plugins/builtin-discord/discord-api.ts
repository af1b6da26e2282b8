import type { RESTError, RESTRateLimit } from 'discord-api-types/v10';
import { toJson, type Clock } from 'pegboard';
import { createJsonApi, type AccountAccess, type ApiError, type JsonApi } from 'pegboard/channels';

/** Discord refuses other forms (discord.com/developers/docs/reference#user-agent). */
const userAgent = 'DiscordBot (https://pegboard.dev, 0.1.0)';

export const createDiscordApi = ({
  token,
  root,
  clock,
}: AccountAccess & { readonly clock: Clock }): JsonApi =>
  createJsonApi({
    title: 'Discord',
    root,
    headers: { authorization: `Bot ${token}`, 'user-agent': userAgent },
    readError,
    clock,
  });

/** Discord's ids are times, in milliseconds since it began to count, with 22 bits more. */
const epochMs = 1_420_070_400_000;
export const timeOf = (id: string): number => Number(BigInt(id) >> 22n) + epochMs;
export const idAt = (timeMs: number): string => String(BigInt(timeMs - epochMs) << 22n);

/** What it refuses with 403 because of the message: one of somebody else, explicit content, or what its filter stops. */
const ofMessage: ReadonlySet<number> = new Set([20_009, 50_005, 200_000, 200_001, 240_000]);
/** A channel, server or thread that is gone, closed or out of reach, with another status. */
const closedChat: ReadonlySet<number> = new Set([10_003, 10_004, 50_024, 50_083, 160_005]);

const isOfChat = (status: number, code = 0): boolean =>
  (status === 403 && !ofMessage.has(code)) || closedChat.has(code);

/** Characters of what Discord says about the members of a refused body. */
const maxDetailsLength = 300;

function readError(answer: Partial<RESTError & RESTRateLimit>, status: number): ApiError {
  const { message, errors, code, retry_after: seconds, global: blocksAll } = answer;
  const details = errors ? ` ${toJson(errors).slice(0, maxDetailsLength)}` : '';
  return {
    reason: message && message + details,
    code,
    scope: isOfChat(status, code) ? 'chat' : undefined,
    // Messages have a nonce, so one that arrived all the same doesn't arrive twice.
    kind: status >= 500 ? 'notSent' : undefined,
    seconds,
    blocksAll,
  };
}
