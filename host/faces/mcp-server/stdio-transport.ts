import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { parseJson, toJsonLine } from '../../core/documents/written-numbers.ts';
import { createLineReader } from '../../core/line-reader.ts';
import { dropReservedFromRequests } from '../../core/foreign/reserved-meta.ts';
import { refusedInitialize } from './initialize.ts';
import { withOwnCode } from './rpc-error.ts';
import { isMessage, withResult } from './rpc-message.ts';

/** Bytes of one message. */
const largestMessage = 16 * 1024 * 1024;

/**
 * MCP's lines on a pair of streams. The SDK's own transport copies everything that came before with each chunk of a
 * long line, and checks every message against a schema. A line that is no message is reported and skipped; one that
 * is too long ends the connection, because what follows it can't be told apart.
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
  const lines = createLineReader(
    largestMessage,
    (line) => {
      if (closed || line.trim() === '') return;
      const message = withResult(parse(line));
      dropReservedFromRequests(message);
      if (isMessage(message)) deliver(message);
      else fail(`a line is no MCP message: ${line.slice(0, 100)}`);
    },
    () => {
      fail(`a line is longer than ${largestMessage} bytes`);
      void close();
    },
  );
  const deliver = (message: JSONRPCMessage): void => {
    const refusal = refusedInitialize(message);
    if (!refusal) return transport.onmessage?.(message);
    // A client that has gone gets no answer.
    transport.send(refusal).catch(() => {});
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
      if (closed) throw new Error('the client has gone');
      if (!output.write(toJsonLine(withOwnCode(message)))) await once(output, 'drain');
    },
    close,
  };
  return transport;
}

function parse(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}
