import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { toJsonLine } from 'pegboard/kit';
import { createJsonSequence, createLineReader, dropReservedFromRequests } from 'pegboard/serving';
import { refusedInitialize } from '../http/initialize.ts';
import { isUnanswerable, invalidJson, malformedRefusal } from '../http/malformed.ts';
import { withOwnCode } from '../protocol/rpc-error.ts';
import { isMessage, withResult } from '../protocol/rpc-message.ts';
import { createStdioBatches } from './stdio-batches.ts';

/** Bytes of one message. */
const maxMessageBytes = 16 * 1024 * 1024;

/**
 * MCP's lines on a pair of streams. The SDK's own transport copies everything that came before with each chunk of a
 * long line, and checks every message against a schema. A line that is no message is refused as over HTTP; one that is
 * too long ends the connection, because what follows it can't be told apart.
 */
export function createStdioTransport(input: Readable, output: Writable): Transport {
  let closed = false;
  const fail = (message: string): void => transport.onerror?.(new Error(message));
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    input.off('data', read);
    input.pause();
    transport.onclose?.();
  };
  const received = createJsonSequence((busy) => {
    if (busy) input.pause();
    else if (!closed) input.resume();
  });
  const take = (line: string, read: { readonly json: unknown } | undefined): void => {
    if (closed) return;
    if (!read) return refuse([invalidJson], line);
    dropReservedFromRequests(read.json);
    const values = [read.json].flat().map(withResult);
    const messages = values.filter(isMessage);
    const refused = values
      .filter((value) => !isMessage(value) && !isUnanswerable(value))
      .map(malformedRefusal);
    if (!Array.isArray(read.json)) refuse(refused, line);
    else if (values.length === 0) refuse([malformedRefusal([])], line);
    else batches.begin(messages, refused);
    for (const message of messages) deliver(message);
  };
  const lines = createLineReader(
    maxMessageBytes,
    (line) => {
      if (!closed && line.trim() !== '') received.add(line, (read) => take(line, jsonIn(read)));
    },
    () => {
      fail(`a line is longer than ${maxMessageBytes} bytes`);
      void close();
    },
  );
  const write = async (line: JSONRPCMessage | readonly JSONRPCMessage[]): Promise<void> => {
    if (closed) throw new Error('the client has gone');
    if (!output.write(toJsonLine(line))) await once(output, 'drain');
  };
  // The client may have gone.
  const answer = (line: JSONRPCMessage | readonly JSONRPCMessage[]): void => void write(line).catch(() => {});
  const batches = createStdioBatches(answer);
  const refuse = (refusals: readonly JSONRPCMessage[], line: string): void => {
    for (const refusal of refusals) answer(refusal);
    if (refusals.length > 0) fail(`a line is not an MCP message: ${line.slice(0, 100)}`);
  };
  const deliver = (message: JSONRPCMessage): void => {
    const refusal = refusedInitialize(message);
    if (refusal) return void transport.send(refusal).catch(() => {});
    transport.onmessage?.(message);
    if ('method' in message && message.method === 'notifications/cancelled')
      batches.cancel(message.params?.['requestId']);
  };
  const read = (chunk: Buffer): void => lines.push(chunk);
  const transport: Transport = {
    async start() {
      input.on('data', read);
      for (const end of ['end', 'close', 'error']) input.once(end, () => void close());
      // Stays attached: the other side may close its end at any time, also after we have closed ours.
      output.on('error', () => void close());
      if (input.readableEnded || input.destroyed) setImmediate(() => void close());
    },
    async send(message) {
      const own = withOwnCode(message);
      if (!batches.keeps(own)) await write(own);
    },
    close,
  };
  return transport;
}

function jsonIn(read: () => unknown): { readonly json: unknown } | undefined {
  try {
    return { json: read() };
  } catch {
    return undefined;
  }
}
