import { spawn } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import type { JsonObject } from '../../../host/api/result.ts';
import { environment, startPegboard } from '../cli.ts';
import type { RunningChild } from '../cli/follow.ts';
import { createHome, type TestHome } from '../homes/home.ts';

/** A client on the pipe of a server, which only reads and writes lines. */
export interface RawClient extends AsyncDisposable {
  /** The result of the handshake, or the whole answer when it has no result. */
  readonly initialized: JsonObject;
  /** The line of the answer, unchanged; `params` is JSON. */
  ask(method: string, params: string): Promise<string>;
  /** The same, parsed. */
  request(method: string, params?: object): Promise<RawAnswer>;
  /** The lines with questions to it, unchanged. */
  readonly asked: readonly string[];
  /** Waits for the next notification with that method. */
  notified(method: string): Promise<JsonObject>;
}

interface RawAnswer {
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: any };
}

export interface ClientOptions {
  readonly name?: string;
  readonly capabilities?: JsonObject;
  readonly protocolVersion?: string;
  /** Its answers to requests, by method: JSON texts, each a result, or an error if it begins with `error `. */
  readonly answers?: { readonly [method: string]: string };
  /** The params of the handshake, whatever they are. */
  readonly initialize?: JsonObject;
}

const fixture = join(import.meta.dirname, '../../fixtures/mcp/verbatim.ts');

/** A home with a server "up" with these answers, which are JSON texts; see the fixture. */
export async function homeWithAnswers(
  answers: { readonly [method: string]: unknown },
  { config = {}, yaml = '' }: { readonly config?: object; readonly yaml?: string } = {},
): Promise<TestHome> {
  const home = await createHome();
  const file = await home.write('answers.json', JSON.stringify(answers));
  const server = { command: process.execPath, args: [fixture, file], ...config };
  await home.write('pegboard.yaml', `${yaml}\nmcpServers: ${JSON.stringify({ up: server })}\n`);
  return home;
}

/** A client of `pegboard serve` on this home, which has the tools of its servers, if they have any. */
export async function serveRaw(
  home: TestHome,
  args: readonly string[] = [],
  options?: ClientOptions,
): Promise<RawClient> {
  const client = await serveKnown(home, args, options);
  await client.notified('notifications/tools/list_changed');
  return client;
}

/** The same for a home that knows its servers from before. */
export const serveKnown = (
  home: TestHome,
  args: readonly string[] = [],
  options?: ClientOptions,
): Promise<RawClient> => connectRaw(startPegboard(['serve', ...args], { home: home.path }).child, options);

/** A client connected directly to the server with these answers. */
export const directly = (home: TestHome, options?: ClientOptions): Promise<RawClient> =>
  startRaw(process.execPath, [fixture, join(home.path, 'answers.json')], options);

export const startRaw = (
  command: string,
  args: readonly string[],
  options?: ClientOptions,
): Promise<RawClient> =>
  connectRaw(spawn(command, args, { env: environment(), stdio: ['pipe', 'pipe', 'ignore'] }), options);

export async function connectRaw(
  child: Pick<RunningChild, 'stdin' | 'stdout' | 'exitCode' | 'signalCode'> & EventEmitter,
  {
    name = 'raw',
    capabilities = {},
    protocolVersion = '2025-11-25',
    initialize,
    answers = {},
  }: ClientOptions = {},
): Promise<RawClient> {
  const waiting = new Map<number, (line: string) => void>();
  const heard: JsonObject[] = [];
  const asked: string[] = [];
  let onNotified = (): void => {};
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line) as { id?: number; method?: string; params?: JsonObject };
    if (method === undefined) return waiting.get(id!)?.(line);
    if (id !== undefined) {
      asked.push(line);
      const [, isError, text] = /^(error )?(.*)$/s.exec(
        answers[method] ?? 'error {"code":-32601,"message":"no"}',
      )!;
      return write(`{"jsonrpc":"2.0","id":${id},"${isError ? 'error' : 'result'}":${text}}`);
    }
    heard.push({ method, params });
    onNotified();
  });
  const gone = new Promise<never>((_, reject) =>
    child.once('exit', () => reject(new Error('the server ended'))),
  );
  gone.catch(() => {});
  const write = (text: string): void => void child.stdin.write(`${text}\n`);
  let last = 0;
  const client = {
    asked,
    async ask(method: string, params: string): Promise<string> {
      const id = ++last;
      const answered = new Promise<string>((resolve) => waiting.set(id, resolve));
      write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`);
      return await Promise.race([answered, gone]);
    },
    request: async (method: string, params: object = {}) =>
      JSON.parse(await client.ask(method, JSON.stringify(params))) as RawAnswer,
    async notified(method: string): Promise<JsonObject> {
      for (;;) {
        const found = heard.findIndex((one) => one['method'] === method);
        if (found >= 0) return heard.splice(found, 1)[0]!;
        await Promise.race([new Promise<void>((resolve) => (onNotified = resolve)), gone]);
      }
    },
    async [Symbol.asyncDispose](): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await ended;
    },
  };
  const clientInfo = { name, version: '1' };
  const answer = await client.request(
    'initialize',
    initialize ?? { protocolVersion, capabilities, clientInfo },
  );
  write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return Object.assign(client, { initialized: (answer.result ?? answer) as JsonObject });
}
