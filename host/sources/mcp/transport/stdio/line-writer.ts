import type { Writable } from 'node:stream';
import { ConnectionLost } from '../connection-lost.ts';

export interface LineWriter {
  /** Rejects with ConnectionLost; its fate says whether the line may have been read. */
  write(line: string): Promise<void>;
}

export interface LineWriterOptions {
  /** Undefined once the process has ended. */
  readonly stdin: () => Writable | undefined;
  readonly whyEnded: () => string;
}

interface Line {
  readonly text: string;
  readonly written: PromiseWithResolvers<void>;
}

/** Writes all lines of one turn of the event loop together, since each write wakes the server up. */
export function createLineWriter({ stdin, whyEnded }: LineWriterOptions): LineWriter {
  let batch: Line[] | undefined;
  const flush = (): void => {
    const lines = batch!;
    batch = undefined;
    const pipe = stdin();
    if (!pipe)
      return lines.forEach(({ written }) => written.reject(new ConnectionLost(whyEnded(), 'unsent')));
    pipe.write(lines.map(({ text }) => text).join(''), (error) => {
      // Some lines may have been read before the server ended; the last one can't have been read completely.
      const last = lines.at(-1);
      for (const line of lines)
        if (!error) line.written.resolve();
        else line.written.reject(new ConnectionLost(whyEnded(), line === last ? 'unsent' : 'unknown', error));
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
