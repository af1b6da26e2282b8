/**
 * `node bench/programs/bridge.ts ARG…`: a minimal proxy. Starts the MCP server that Node runs with these arguments, or connects to the one at a URL, and forwards JSON-RPC from HTTP to it, directly on `node:http`: no tool list, checks, audit or errors. Prints its URL.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
}
type Answer = (message: object) => void;
type Handle = (body: Buffer, from: IncomingMessage, response: ServerResponse) => void;

/** Sends every message over one pipe, with an id of its own. */
function toProcess(args: readonly string[]): Handle {
  const upstream = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  process.once('exit', () => upstream.kill());
  const waiting = new Map<number, Answer>();
  let nextId = 1;
  createInterface({ input: upstream.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as { readonly id?: number };
    if (message.id === undefined) return;
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  const session = randomUUID();
  const tell = (message: object): void => void upstream.stdin.write(`${JSON.stringify(message)}\n`);
  return (body, _from, response) => {
    const message = JSON.parse(body.toString()) as Message;
    if (message.id === undefined) {
      tell(message);
      response.writeHead(202).end();
      return;
    }
    const id = nextId++;
    waiting.set(id, (answer) => {
      const text = JSON.stringify({ ...answer, id: message.id });
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(text),
        'Mcp-Session-Id': session,
      });
      response.end(text);
    });
    tell({ ...message, id });
  };
}

/** Sends every message in a request of its own, with MCP's headers. */
function toAddress(address: string): Handle {
  const agent = new Agent({ keepAlive: true });
  const carried = (from: IncomingMessage, names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (from.headers[name] ? [[name, from.headers[name]]] : [])));
  return (body, from, response) => {
    const headers = carried(from, ['content-type', 'accept', 'mcp-session-id', 'mcp-protocol-version']);
    const text = JSON.stringify(JSON.parse(body.toString()));
    const options = {
      agent,
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(text) },
    };
    const pass = (answer: IncomingMessage): void =>
      whole(answer, (bytes) => {
        response.writeHead(answer.statusCode!, {
          ...carried(answer, ['content-type', 'mcp-session-id']),
          'Content-Length': bytes.length,
        });
        response.end(bytes);
      });
    request(address, options, pass).end(text);
  };
}

function whole(message: IncomingMessage, use: (bytes: Buffer) => void): void {
  const chunks: Buffer[] = [];
  message.on('data', (chunk: Buffer) => chunks.push(chunk));
  message.on('end', () => use(Buffer.concat(chunks)));
}

process.once('SIGTERM', () => process.exit());
const [first = ''] = process.argv.slice(2);
const handle = first.startsWith('http:') ? toAddress(first) : toProcess(process.argv.slice(2));

const server = createServer((from: IncomingMessage, response) => {
  if (from.method !== 'POST') return void response.writeHead(405).end();
  whole(from, (body) => handle(body, from, response));
});
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
);
