import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { withOwnCode } from '../protocol/rpc-error.ts';
import { createHttpReply, type HttpReply } from './http-reply.ts';
import { StandaloneStreams } from './standalone-streams.ts';

type RequestId = string | number;
type SendOptions = Parameters<Transport['send']>[1];

/** Streamable HTTP for one legacy session, directly on node:http. */
export interface SessionTransport extends Transport {
  /** Takes the messages of one POST and answers on its response. False when one of its ids is still in use. */
  post(
    messages: readonly JSONRPCMessage[],
    headers: IncomingHttpHeaders,
    response: ServerResponse,
    isBatch?: boolean,
  ): boolean;
  /** Takes messages that came to another host, which answers them. */
  receive(messages: readonly JSONRPCMessage[]): void;
  /** Headers of the POST that brought this request. */
  headersOf(this: void, id: RequestId): IncomingHttpHeaders;
  /** Keeps the response open for messages that belong to no request. */
  listen(response: ServerResponse): void;
  /** Whether a request is pending or a stream is open. */
  readonly busy: boolean;
}

/** Requests of one POST share its response. */
interface Post {
  readonly reply: HttpReply;
  readonly open: Set<RequestId>;
  readonly headers: IncomingHttpHeaders;
  /** Whether it came as an array, and is answered as one. */
  readonly isBatch: boolean;
}

export function createSessionTransport(headers: { readonly [name: string]: string }): SessionTransport {
  const posts = new Map<RequestId, Post>();
  const streams = new StandaloneStreams(headers);

  /** `message` is the response to one of a post's requests, or undefined when there will be none. */
  const settle = (id: RequestId, post: Post, message?: JSONRPCMessage): void => {
    posts.delete(id);
    post.open.delete(id);
    const last = post.open.size === 0;
    if (message && !last) post.reply.event(withOwnCode(message));
    else if (message) post.reply.end(post.isBatch ? [withOwnCode(message)] : withOwnCode(message));
    else if (last) post.reply.close();
  };
  const cancel = (id: RequestId, reason: string): void => {
    transport.onmessage?.({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id, reason },
    });
  };

  const transport: SessionTransport = {
    start: async () => {},
    get busy() {
      return posts.size > 0 || streams.size > 0;
    },
    headersOf: (id) => posts.get(id)?.headers ?? {},
    post(messages, ofClient, response, isBatch = false) {
      const requests = messages.filter((message) => 'method' in message && 'id' in message);
      const ids = requests.map((message) => (message as { readonly id: RequestId }).id);
      if (ids.length === 0) {
        for (const message of messages) deliver(message);
        response.writeHead(202, headers).end();
        return true;
      }
      if (new Set(ids).size < ids.length || ids.some((id) => posts.has(id))) return false;
      const post = {
        reply: createHttpReply(response, headers),
        open: new Set(ids),
        headers: ofClient,
        isBatch,
      };
      for (const id of ids) posts.set(id, post);
      post.reply.onGone(() => {
        for (const id of post.open) {
          posts.delete(id);
          cancel(id, 'the client disconnected');
        }
      });
      streams.flushTo((message) => post.reply.event(message));
      for (const message of messages) deliver(message);
      return true;
    },
    receive(messages) {
      for (const message of messages) deliver(message);
    },
    listen: (response) => streams.open(response),
    async send(message, options?: SendOptions) {
      const answered = 'method' in message ? undefined : message.id;
      const id = answered ?? options?.relatedRequestId;
      if (id === undefined) return streams.send(message);
      const post = posts.get(id);
      if (!post) return;
      if (answered === undefined) post.reply.event(message);
      else settle(answered, post, message);
    },
    async close() {
      for (const [id, post] of posts) settle(id, post);
      streams.end();
      transport.onclose?.();
    },
  };

  const deliver = (message: JSONRPCMessage): void => {
    transport.onmessage?.(message);
    // A cancelled request gets no response, but its stream ends.
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const id = message.params?.['requestId'] as RequestId | undefined;
    const post = id === undefined ? undefined : posts.get(id);
    if (post) settle(id!, post);
  };
  return transport;
}
