import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport } from '@modelcontextprotocol/client';
import type { Logger } from '../../../../api/log.ts';
import { createRequestIds } from './request-ids.ts';
import { ConnectionLost } from '../connection-lost.ts';
import { createJsonSequence, type JsonSequence } from '../../../../core/documents/json/json-sequence.ts';
import { TooMuchJson } from '../../../../core/documents/json/read-json.ts';
import { toJsonLine } from '../../../../core/documents/written-numbers.ts';
import { createLineReader } from '../../../../core/text/line-reader.ts';
import { createEnding } from './ending.ts';
import { createGarbage } from './garbage.ts';
import { createLineWriter } from './line-writer.ts';
import type { RpcMessage } from '../rpc-message.ts';
import { createReadThrottle } from './read-throttle.ts';
import type { ResolvedServer } from '../../resolve.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import { createStderrLog } from './stderr-log.ts';

/** Maximum bytes of one message. */
const maxMessageBytes = 16 * 1024 * 1024;
/** How long its last output may take to arrive after its exit. */
const lastOutputMs = 100;
/** Between a failed write to a server and its exit. */
const lastExitMs = 1_000;

export interface StdioTransport extends Transport {
  readonly pid: number | undefined;
  /** Marks it as a local pipe for the SDK's version negotiation, where no answer means an old server. */
  readonly stderr: null;
  /** Why it ended: the exit code and the last words on stderr. */
  readonly ending: string | undefined;
  /** A description of output that was no valid message; undefined when there was none. */
  readonly garbage: string | undefined;
  /** The end of its stderr. */
  readonly lastWords: string;
}

export interface StdioOptions {
  readonly name: string;
  readonly log: Logger;
  /** Called once, with the first line on stdout that is not a message. */
  readonly onGarbage: (line: string) => void;
}

/**
 * A server as a child process, with one JSON message per line. Unlike the SDK's transport, it starts a process group,
 * so that the whole tree ends with the server, and tolerates other output on stdout.
 */
export function createStdioTransport(
  server: ResolvedServer & { readonly kind: 'stdio' },
  { name, log, onGarbage }: StdioOptions,
): StdioTransport {
  const stderr = createStderrLog(log.child('stderr'));
  let starting: Promise<ServerProcess> | undefined;
  let running: ServerProcess | undefined;
  let pid: number | undefined;
  const ending = createEnding();
  let closing: Promise<void> | undefined;
  let throttle = (): void => {};
  const asked = createRequestIds();
  const garbage = createGarbage(onGarbage);
  // A server that is gone can't be written to before its exit, with the reason, is noticed.
  const whyEnded = (): Promise<string> => ending.soon(closing ? 0 : lastExitMs);
  const writer = createLineWriter({ stdin: () => running?.child.stdin, whyEnded });

  const messages = createJsonSequence((busy) => running?.child.stdout[busy ? 'pause' : 'resume']());
  const receive = (line: string): void => {
    throttle();
    if (line.trim() !== '') messages.add(line, (read) => take(line, objectIn(read)));
  };
  const take = (line: string, message: object | undefined): void => {
    if (message === undefined) return garbage.addLine(line);
    if (message instanceof TooMuchJson) return closeFor(`it sent a message that ${message.message}`);
    for (const one of [message].flat()) {
      if (asked.isStray(one)) garbage.addStray();
      transport.onmessage?.(one as never);
    }
  };
  const reader = createLineReader(maxMessageBytes, receive, () =>
    closeFor(`it sent a message of more than ${maxMessageBytes / 1024 / 1024} MiB`),
  );

  const start = async (): Promise<void> => {
    starting = startServer(name, server, (what) => {
      ending.set(`it was stopped with all its processes: ${what}`);
      log.warn(`MCP server "${name}" was stopped: ${what}`);
    });
    const started = await starting;
    const { child } = started;
    pid = started.pid;
    running = started;
    child.stdin.on('error', () => {}); // The writer reports the error.
    throttle = createReadThrottle(child.stdout);
    child.stdout.on('data', (chunk: Buffer) => reader.push(chunk));
    const isRead = Promise.all([endOf(child.stdout).then(() => reader.end()), endOf(child.stderr)]);
    void endWithoutOutput(child);
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => stderr.push(chunk));
    child.once('exit', (code, signal) => {
      // Its last output may still be in the pipes, which its children may keep open.
      void lastOutput(isRead, messages).then(() =>
        setImmediate(() => closeFor(describeExit(code, signal, stderr.tail))),
      );
    });
  };
  const endWithoutOutput = async (child: ServerProcess['child']): Promise<void> => {
    if (await runsWithoutOutput(child)) closeFor('it closed its standard output, so no answer can arrive');
  };
  const closeFor = (reason: string): void => {
    ending.set(reason);
    void transport.close();
  };

  const close = async (): Promise<void> => {
    // It may still be starting.
    const ended = await starting?.catch(() => undefined);
    if (!ended) return;
    running = undefined;
    transport.onclose?.();
    await ended.end();
    ended.child.stdout.destroy();
    ended.child.stderr.destroy();
  };

  const transport: StdioTransport = {
    stderr: null,
    get pid() {
      return pid;
    },
    get ending() {
      return ending.reason;
    },
    get garbage() {
      return garbage.describe(reader.hasRest);
    },
    get lastWords() {
      return stderr.tail;
    },
    start,
    close: () => (closing ??= close()),
    async send(message) {
      const stdin = running?.child.stdin;
      if (!stdin?.writable) throw new ConnectionLost(await whyEnded(), 'unsent');
      asked.sent(message as RpcMessage);
      await writer.write(toJsonLine(message));
    },
  };
  return transport;
}

async function lastOutput(isRead: Promise<unknown>, messages: JsonSequence): Promise<void> {
  await Promise.race([isRead, sleep(lastOutputMs, undefined, { ref: false })]);
  // While a long message is read, nothing is taken from the pipe.
  if (!messages.reading) return;
  await messages.reading;
  await lastOutput(isRead, messages);
}

/** Most processes end at the same time as their output, and their exit says more. */
async function runsWithoutOutput(child: ServerProcess['child']): Promise<boolean> {
  await endOf(child.stdout);
  await sleep(lastOutputMs, undefined, { ref: false });
  return child.exitCode === null && child.signalCode === null;
}

const endOf = (stream: Readable): Promise<void> => new Promise((resolve) => stream.once('end', resolve));

function describeExit(code: number | null, signal: NodeJS.Signals | null, stderr: string): string {
  const how = signal === null ? `its process exited with code ${code}` : `its process was ended by ${signal}`;
  return stderr === '' ? how : `${how}; its last words: ${stderr}`;
}

/** Undefined for what is no message, and TooMuchJson for one that is not read. */
function objectIn(read: () => unknown): object | undefined {
  try {
    const message = read();
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch (cause) {
    return cause instanceof TooMuchJson ? cause : undefined;
  }
}
