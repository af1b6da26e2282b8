import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { listen } from '../../../host/testing/http-server.ts';

/** A server in a process of its own that listens on a local port. */
export interface HttpProcess extends AsyncDisposable {
  readonly port: number;
  /** Everything that it printed to stderr so far. */
  readonly stderr: string;
  /** Resolves when `text` was printed to stderr. */
  printed(text: string): Promise<void>;
}

const root = join(import.meta.dirname, '../../..');

/** server-everything over "streamableHttp" or "sse"; it is ready when this resolves. */
export async function startEverything(
  transport: 'streamableHttp' | 'sse',
  port?: number,
): Promise<HttpProcess> {
  const chosen = port ?? (await freePort());
  const program = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
  const child = start([program, transport], { PORT: String(chosen) });
  const server = toHttpProcess(child, () => chosen);
  await server.printed('on port');
  return server;
}

/** The fixture "modern" over HTTP: only the 2026-07-28 protocol. */
export async function startModern(): Promise<HttpProcess> {
  const child = start([join(root, 'test/fixtures/mcp/modern.ts'), 'http'], {});
  const server: HttpProcess = toHttpProcess(child, () => Number(/port (\d+)/.exec(server.stderr)![1]));
  await server.printed('port ');
  return server;
}

export async function freePort(): Promise<number> {
  await using server = await listen(() => {});
  return Number(new URL(server.url).port);
}

function start(args: readonly string[], environment: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

function toHttpProcess(child: ChildProcess, port: () => number): HttpProcess {
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  return {
    get port() {
      return port();
    },
    get stderr() {
      return stderr;
    },
    async printed(text) {
      while (!stderr.includes(text)) {
        await Promise.race([once(child.stderr!, 'data'), once(child, 'exit').then(() => failed(stderr))]);
      }
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

function failed(stderr: string): never {
  throw new Error(`the server exited: ${stderr}`);
}
