import {
  type Answer,
  type Ask,
  type JsonObject,
  PegboardError,
  type Progress,
  type Question,
} from 'pegboard';
import { askElsewhere } from 'pegboard/channels';
import { askWhereSeen, kindOf, questionText, shownSchema } from 'pegboard/kit';
import type { McpClient, Peer, PeerMethod } from 'pegboard/serving';
import { isObject, type Era, type Exchange } from '../protocol/exchange.ts';

/** How work on behalf of a client communicates with that client while it runs. */
export interface ClientChannel {
  readonly signal: AbortSignal;
  /** A client that can't put a question to its user waits where somebody else is shown it. */
  readonly ask: Ask;
  readonly peer: Peer;
  /** The client that the work is for. */
  readonly from: McpClient;
  /** Absent when the client doesn't want progress. */
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

export type RequestClient = (
  method: PeerMethod,
  params: JsonObject,
  options: { readonly signal: AbortSignal; readonly name?: string },
) => Promise<JsonObject>;

/** `current` is called each time: over several rounds the same work uses several exchanges. */
export function createClientChannel(
  current: () => Exchange,
  signal: AbortSignal,
  request: RequestClient,
): ClientChannel {
  const { client, meta, era, from } = current();
  const token = meta?.['progressToken'];
  const peer = peerTo(client.capabilities, request, (level, data, logger) =>
    current().log(level, data, logger),
  );
  return {
    signal,
    ask: createAsk(peer, era),
    peer,
    from,
    onProgress:
      token === undefined
        ? undefined
        : (progress) =>
            current().notify('notifications/progress', { progressToken: token, ...withoutGaps(progress) }),
  };
}

/** Legacy clients answer while their request waits. */
export function legacyClientChannel(exchange: Exchange): ClientChannel {
  return createClientChannel(
    () => exchange,
    exchange.signal,
    (method, params, { signal }) => exchange.request!(method, params, signal),
  );
}

/** Checks each request against the capabilities that the client declared. */
export function peerTo(capabilities: JsonObject, request: RequestClient, log: Peer['log']): Peer {
  return {
    capabilities,
    async request(method, params, options) {
      const needed = neededFor(method, params, capabilities);
      if (needed) throw lacking(method, needed);
      return request(method, params, options);
    },
    log,
  };
}

/** A peer that refuses requests and drops log messages. */
export function refusingPeer(capabilities: JsonObject): Peer {
  return {
    capabilities,
    request: async (method, params) => {
      throw lacking(method, neededFor(method, params, {}) ?? {});
    },
    log() {},
  };
}

const lacking = (method: PeerMethod, needed: JsonObject): PegboardError =>
  new PegboardError(
    'PEG_CLIENT_CAPABILITY',
    `This needs a client that supports ${method}, and the calling client doesn't declare that it does.`,
    { data: { requiredCapabilities: needed } },
  );

/** The capability that the client lacks for this request. */
function neededFor(method: PeerMethod, params: JsonObject, declared: JsonObject): JsonObject | undefined {
  switch (method) {
    case 'sampling/createMessage':
      return isObject(declared['sampling']) ? undefined : { sampling: {} };
    case 'roots/list':
      return isObject(declared['roots']) ? undefined : { roots: {} };
    case 'elicitation/create': {
      const mode = params['mode'] === 'url' ? 'url' : 'form';
      return elicitationModes(declared)[mode] ? undefined : { elicitation: { [mode]: {} } };
    }
  }
}

/** A bare `elicitation: {}` means forms. */
function elicitationModes(declared: JsonObject): { readonly form: boolean; readonly url: boolean } {
  const { elicitation } = declared;
  if (!isObject(elicitation)) return { form: false, url: false };
  const url = isObject(elicitation['url']);
  return { form: isObject(elicitation['form']) || !url, url };
}

/** What the client can't ask for is asked elsewhere, or declined where that is impossible. */
function createAsk(peer: Peer, era: Era): Ask {
  const modes = elicitationModes(peer.capabilities);
  if (!modes.form) return askWhereSeen;
  return async (question, signal) => {
    const kind = kindOf(question);
    if (kind === 'files' || kind === 'notification' || (kind === 'url' && !modes.url))
      return await askElsewhere(question, signal);
    const params = toElicitation(question, era);
    return await peer.request('elicitation/create', params, { signal }).then(toElicitAnswer, noAnswer);
  };
}

/** An answer that the SDK rejects counts as none; other errors are thrown. */
function noAnswer(cause: unknown): Answer {
  if (isObject(cause) && cause['code'] === 'INVALID_RESULT') return { action: 'cancel' };
  throw cause;
}

function toElicitation(question: Question, era: Era): JsonObject {
  const { schema = { type: 'object', properties: {} }, url, meta } = question;
  const message = questionText(question);
  const more = meta && { _meta: meta };
  if (url === undefined) return { mode: 'form', message, requestedSchema: shownSchema(schema), ...more };
  const id = era === 'legacy' ? { elicitationId: crypto.randomUUID() } : {};
  return { mode: 'url', message, url, ...id, ...more };
}

/** A malformed answer counts as none. */
function toElicitAnswer(response: JsonObject): Answer {
  const { action, content, _meta } = response;
  const more = isObject(_meta) ? { meta: _meta } : {};
  if (action === 'accept') return { action, ...(isObject(content) && { content }), ...more };
  return { action: action === 'decline' ? 'decline' : 'cancel', ...more };
}

function withoutGaps(progress: Progress): JsonObject {
  const { progress: done, total, message, meta } = progress;
  return {
    progress: done,
    ...(total !== undefined && { total }),
    ...(message !== undefined && { message }),
    ...(meta && { _meta: meta }),
  };
}
