import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport } from '@modelcontextprotocol/client';
import type { Logger } from '../../../api/log.ts';
import { createAskedIds } from './asked-ids.ts';
import { ConnectionLost, type Fate } from './connection-lost.ts';
import { withoutByteOrderMark } from '../../../core/text/byte-order-mark.ts';
import { parseJson, toJsonLine } from '../../../core/documents/written-numbers.ts';
import { withCommas } from '../../../core/text/with-commas.ts';
import { createLineReader } from '../../../core/text/line-reader.ts';
import type { RpcMessage } from './rpc-message.ts';
import { createReadThrottle } from './read-throttle.ts';
import type { ResolvedServer } from '../resolve.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import { createStderrLog } from './stderr-log.ts';

/** Bytes of one message. */
const maxMessageBytes = 16 * 1024 * 1024;
/** How long what it wrote may take to arrive once it has ended. */
const lastWordsMs = 100;

export interface StdioTransport extends Transport {
  readonly pid: number | undefined;
  /** Marks it, for the SDK's version negotiation, as a local pipe: silence there means an old server. */
  readonly stderr: null;
  /** Why it ended: the exit code and the last words on stderr. */
  readonly ending: string | undefined;
  /** What came that was no message, in words; undefined while all was well. */
  readonly garbage: string | undefined;
}

export interface StdioOptions {
  readonly name: string;
  readonly log: Logger;
  /** Told once, with the first line on stdout that is no message. */
  readonly onGarbage: (line: string) => void;
}

/** A line that waits to be written with others, and whether it was. */
interface Message {
  readonly line: string;
  readonly written: PromiseWithResolvers<void>;
}

/**
 * A server as a child process, one JSON message a line. Unlike the SDK's own it leads a process group, so that the
 * whole tree ends with it, and survives whatever else the server prints to stdout.
 */
export function createStdioTransport(
  server: ResolvedServer & { readonly kind: 'stdio' },
  { name, log, onGarbage }: StdioOptions,
): StdioTransport {
  const stderr = createStderrLog(log.child('stderr'));
  let starting: Promise<ServerProcess> | undefined;
  let running: ServerProcess | undefined;
  let pid: number | undefined;
  let ending: string | undefined;
  let closing: Promise<void> | undefined;
  let garbage: { lines: number; readonly first: string } | undefined;
  const asked = createAskedIds();
  let strays = 0;
  let throttle = (): void => {};
  let outgoing: Message[] | undefined;

  const receive = (line: string): void => {
    throttle();
    if (line.trim() === '') return;
    const message = parse(line);
    if (message !== undefined) {
      for (const one of [message].flat()) {
        if (asked.isStray(one)) strays++;
        transport.onmessage?.(one as never);
      }
    } else if (garbage) garbage.lines++;
    else {
      garbage = { lines: 1, first: line.slice(0, 200) };
      onGarbage(garbage.first);
    }
  };
  const reader = createLineReader(maxMessageBytes, receive, () => {
    ending = `it sent a message of more than ${maxMessageBytes / 1024 / 1024} MiB`;
    void transport.close();
  });

  const start = async (): Promise<void> => {
    starting = startServer(name, server, (what) => {
      ending = `it was ended with all that it had started: ${what}`;
      log.warn(`MCP server "${name}" was ended: ${what}`);
    });
    const started = await starting;
    const { child } = started;
    pid = started.pid;
    running = started;
    child.stdin.on('error', () => {}); // Told to whoever writes.
    throttle = createReadThrottle(child.stdout);
    child.stdout.on('data', (chunk: Buffer) => reader.push(chunk));
    const isRead = readToEnd(child.stdout);
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => stderr.push(chunk));
    child.once('exit', (code, signal) => {
      const how =
        signal === null ? `its process exited with code ${code}` : `its process was ended by ${signal}`;
      // Its last words may still be in the pipes; what it has started may keep them open.
      void Promise.race([isRead, sleep(lastWordsMs, undefined, { ref: false })]).then(() =>
        setImmediate(() => {
          ending ??= stderr.tail === '' ? how : `${how}; its last words: ${stderr.tail}`;
          void transport.close();
        }),
      );
    });
  };

  const readToEnd = async (stdout: ServerProcess['child']['stdout']): Promise<void> => {
    await new Promise<void>((resolve) => stdout.once('end', resolve));
    reader.end();
    // Most have ended with it, and say how.
    setTimeout(() => {
      ending ??= 'it closed its standard output, so that no answer can come';
      void transport.close();
    }, lastWordsMs).unref();
  };

  const close = async (): Promise<void> => {
    // Closed while it starts: it must not come up afterwards with nobody to end it.
    const ended = await starting?.catch(() => undefined);
    if (!ended) return;
    running = undefined;
    transport.onclose?.();
    await ended.end();
    ended.child.stdout.destroy();
    ended.child.stderr.destroy();
  };

  /** What one turn of the event loop has to say goes out together: each write wakes the server up. */
  const openBatch = (): Message[] => {
    setImmediate(() => {
      const batch = outgoing!;
      outgoing = undefined;
      const lost = (fate: Fate, cause?: Error): ConnectionLost =>
        new ConnectionLost(ending ?? 'its process has ended', fate, cause);
      if (!running) return batch.forEach(({ written }) => written.reject(lost('unsent')));
      const lines = batch.map(({ line }) => line).join('');
      running.child.stdin.write(lines, (error) => {
        // Some of it may have been read before the server went; the last line can't have been read to its end.
        for (const { written } of batch)
          if (!error) written.resolve();
          else written.reject(lost(written === batch.at(-1)!.written ? 'unsent' : 'unknown', error));
      });
    });
    return [];
  };

  const transport: StdioTransport = {
    stderr: null,
    get pid() {
      return pid;
    },
    get ending() {
      return ending;
    },
    get garbage() {
      const said: string[] = [];
      if (garbage)
        said.push(
          `${garbage.lines === 1 ? 'a line that is' : `${withCommas(garbage.lines)} lines that are`} no JSON message in UTF-8: ${JSON.stringify(garbage.first)}`,
        );
      if (strays > 0)
        said.push(`${withCommas(strays)} answer${strays === 1 ? '' : 's'} with ids that nobody asked with`);
      if (reader.hasRest) said.push('the beginning of a line that has not ended, as every message must');
      return said.length === 0 ? undefined : `it sent ${said.join('; and ')}`;
    },
    start,
    close: () => (closing ??= close()),
    send(message) {
      const stdin = running?.child.stdin;
      if (!stdin?.writable)
        return Promise.reject(new ConnectionLost(ending ?? 'its process has ended', 'unsent'));
      asked.sent(message as RpcMessage);
      outgoing ??= openBatch();
      const written = Promise.withResolvers<void>();
      outgoing.push({ line: toJsonLine(message), written });
      return written.promise;
    },
  };
  return transport;
}

function parse(line: string): object | undefined {
  try {
    const message = parseJson(withoutByteOrderMark(line));
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}
