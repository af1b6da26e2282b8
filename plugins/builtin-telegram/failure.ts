import { ChannelFailure, connectionFailure } from 'pegboard/channels';
import { isSupergroup } from './incoming/address.ts';

/** Node's messages for connections that broke before the request was written. */
const beforeTheRequest = /reason: connect |before secure TLS connection/;

/** Refusals with 400 whatever is sent to the chat. Those with 403 all are. */
const closedChat =
  /: (?:chat not found|PEER_ID_INVALID|CHAT_ID_INVALID|CHAT_WRITE_FORBIDDEN|CHAT_RESTRICTED|USER_IS_BLOCKED|(?:INPUT_)?USER_DEACTIVATED|group chat was (?:upgraded|deactivated)\b.*|not enough rights to send text messages to the chat|(?:have )?no rights to send a message|need administrator rights in the channel chat)$/i;

const anotherProgram = {
  message: 'gives the messages of this bot to another program',
  fix: 'stop that one, or give it a bot of its own',
};

/** What a thrown error says about a call to Telegram. Recognises grammY's GrammyError and HttpError by their shape, without loading the library. */
export function failureOf(cause: unknown): ChannelFailure {
  const { error_code: status, description, parameters, error } = cause as ThrownByGrammy;
  if (status === undefined)
    return beforeTheRequest.test(error?.message ?? '')
      ? new ChannelFailure('notSent', error!.code ?? error!.message, { cause })
      : connectionFailure(error?.code === undefined ? cause : error);
  const reason = description ?? `status ${status}`;
  const kind = status === 429 ? 'busy' : status >= 500 ? 'notSent' : 'refused';
  const { migrate_to_chat_id: supergroup } = parameters ?? {};
  const movedTo = supergroup !== undefined && isSupergroup(supergroup) ? String(supergroup) : undefined;
  const isOfChat = status === 403 || movedTo !== undefined || closedChat.test(reason);
  return new ChannelFailure(kind, reason, {
    seconds: parameters?.retry_after,
    // The token is a part of the address.
    status: status === 404 ? 401 : status,
    scope: isOfChat ? 'chat' : undefined,
    movedTo,
    trouble: status === 409 ? anotherProgram : undefined,
    cause,
  });
}

/** Of this request alone. */
export const isRefusal = (thrown: unknown, words: string): boolean =>
  thrown instanceof ChannelFailure &&
  thrown.kind === 'refused' &&
  thrown.scope === 'message' &&
  thrown.message.includes(words);

interface ThrownByGrammy {
  readonly error_code?: number;
  readonly description?: string;
  readonly parameters?: { readonly retry_after?: number; readonly migrate_to_chat_id?: number };
  readonly error?: { readonly code?: string; readonly message: string };
}
