import { ChannelFailure, connectionFailure } from 'pegboard/channels';

/** Node's messages for connections that broke before the request was written. */
const beforeTheRequest = /reason: connect |before secure TLS connection/;

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
  return new ChannelFailure(kind, reason, {
    seconds: parameters?.retry_after,
    // The token is a part of the address.
    status: status === 404 ? 401 : status,
    trouble: status === 409 ? anotherProgram : undefined,
    cause,
  });
}

export const isRefusal = (thrown: unknown, words: string): boolean =>
  thrown instanceof ChannelFailure && thrown.kind === 'refused' && thrown.message.includes(words);

interface ThrownByGrammy {
  readonly error_code?: number;
  readonly description?: string;
  readonly parameters?: { readonly retry_after?: number };
  readonly error?: { readonly code?: string; readonly message: string };
}
