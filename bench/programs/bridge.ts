/**
 * `node bench/programs/bridge.ts ARG…`: the least that a proxy does. Starts the MCP server that Node runs with these
 * arguments and answers JSON-RPC over HTTP by it, straight on `node:http`: no tool list, no checks, no audit, no errors.
 * Prints its URL.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
}
type Answer = (message: object) => void;

const upstream = spawn(process.execPath, process.argv.slice(2), { stdio: ['pipe', 'pipe', 'inherit'] });
process.once('exit', () => upstream.kill());
process.once('SIGTERM', () => process.exit());

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

function handle(message: Message, response: ServerResponse): void {
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
}

const server = createServer((request: IncomingMessage, response) => {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => handle(JSON.parse(Buffer.concat(chunks).toString()) as Message, response));
});
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
);
