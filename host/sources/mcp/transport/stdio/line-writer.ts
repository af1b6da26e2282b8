import type { Writable } from 'node:stream';
import { ConnectionLost } from '../connection-lost.ts';

export interface LineWriter {
  /** Rejects with ConnectionLost; its fate says whether the line may have been read. */
  write(line: string): Promise<void>;
}

export interface LineWriterOptions {
  /** Undefined once the process has ended. */
  readonly stdin: () => Writable | undefined;
  /** Resolves when it is known, which may be after a line could not be written. */
  readonly whyEnded: () => Promise<string>;
}

interface Line {
  readonly text: string;
  readonly written: PromiseWithResolvers<void>;
}

/** Writes all lines of one turn of the event loop together, since each write wakes the server up. */
export function createLineWriter({ stdin, whyEnded }: LineWriterOptions): LineWriter {
  let batch: Line[] | undefined;
  const fail = async (lines: readonly Line[], cause?: Error): Promise<void> => {
    const why = await whyEnded();
    // Some lines may have been read before the server ended; the last one can't have been read completely.
    const last = lines.at(-1);
    for (const line of lines) {
      const fate = cause === undefined || line === last ? 'unsent' : 'unknown';
      line.written.reject(new ConnectionLost(why, fate, cause));
    }
  };
  const flush = (): void => {
    const lines = batch!;
    batch = undefined;
    const pipe = stdin();
    if (!pipe) return void fail(lines);
    pipe.write(lines.map(({ text }) => text).join(''), (error) => {
      if (error) void fail(lines, error);
      else for (const { written } of lines) written.resolve();
    });
  };
  return {
    write(text) {
      if (!batch) {
        batch = [];
        setImmediate(flush);
      }
      const written = Promise.withResolvers<void>();
      batch.push({ text, written });
      return written.promise;
    },
  };
}
