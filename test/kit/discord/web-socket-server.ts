import { createHash } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** The server's end of a WebSocket: whole text messages, which is all that tests need. */
export interface ServerSocket {
  readonly url: URL;
  send(text: string): void;
  /** Closes with a code, or breaks the connection without one. */
  close(code?: number): void;
  onMessage(listener: (text: string) => void): void;
  /** `code`: with which the client has closed it. */
  onClose(listener: (code: number | undefined) => void): void;
}

const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const opcodes = { text: 1, close: 8, ping: 9, pong: 10 };

/** Accepts WebSockets at a server of node:http. */
export function acceptWebSockets(server: Server, accept: (socket: ServerSocket) => void): void {
  server.on('upgrade', (request: IncomingMessage, stream: Duplex) => {
    const key = createHash('sha1').update(`${request.headers['sec-websocket-key']}${guid}`).digest('base64');
    stream.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
    );
    accept(open(stream, new URL(request.url!, 'ws://localhost')));
  });
}

function open(stream: Duplex, url: URL): ServerSocket {
  const onMessage: ((text: string) => void)[] = [];
  const onClose: ((code: number | undefined) => void)[] = [];
  let code: number | undefined;
  let read = Buffer.alloc(0);
  const write = (opcode: number, payload: Buffer): void => {
    if (stream.writable) stream.write(Buffer.concat([headerOf(opcode, payload.length), payload]));
  };
  stream.on('data', (chunk: Buffer) => {
    read = Buffer.concat([read, chunk]);
    for (let frame = frameOf(read); frame; frame = frameOf(read)) {
      read = read.subarray(frame.size);
      if (frame.opcode === opcodes.text) for (const listener of onMessage) listener(frame.payload.toString());
      if (frame.opcode === opcodes.ping) write(opcodes.pong, frame.payload);
      if (frame.opcode === opcodes.close) {
        code = frame.payload.length >= 2 ? frame.payload.readUInt16BE() : undefined;
        write(opcodes.close, frame.payload);
        stream.end();
      }
    }
  });
  stream.on('error', () => {});
  stream.once('close', () => {
    for (const listener of onClose) listener(code);
  });
  return {
    url,
    send: (text) => write(opcodes.text, Buffer.from(text)),
    close(with_) {
      if (with_ === undefined) return void stream.destroy();
      const payload = Buffer.alloc(2);
      payload.writeUInt16BE(with_);
      write(opcodes.close, payload);
      stream.end();
    },
    onMessage: (listener) => void onMessage.push(listener),
    onClose: (listener) => void onClose.push(listener),
  };
}

function headerOf(opcode: number, length: number): Buffer {
  const header = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  header[0] = 0x80 | opcode;
  header[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (header[1] === 126) header.writeUInt16BE(length, 2);
  if (header[1] === 127) header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}

/** The first frame of what a client has sent, unmasked. Undefined: it isn't there as a whole. */
function frameOf(
  read: Buffer,
): { readonly opcode: number; readonly payload: Buffer; readonly size: number } | undefined {
  if (read.length < 2) return undefined;
  const short = read[1]! & 0x7f;
  const maskAt = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (read.length < maskAt + 4) return undefined;
  const length = short < 126 ? short : short === 126 ? read.readUInt16BE(2) : Number(read.readBigUInt64BE(2));
  const size = maskAt + 4 + length;
  if (read.length < size) return undefined;
  const mask = read.subarray(maskAt, maskAt + 4);
  const payload = Buffer.from(read.subarray(maskAt + 4, size));
  for (const [at, byte] of payload.entries()) payload[at] = byte ^ mask[at % 4]!;
  return { opcode: read[0]! & 0x0f, payload, size };
}
