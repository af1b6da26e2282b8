import { createInterface, type CompleterResult } from 'node:readline';
import type { Terminal } from '../terminal/terminal.ts';

export type CompleteLine = (line: string) => Promise<CompleterResult>;

export interface LineReader {
  /** The next line; undefined at the end of input. */
  next(history: readonly string[]): Promise<string | undefined>;
}

type Done = (error: null, result: CompleterResult) => void;

/**
 * Lines typed at a terminal. Between two lines nothing listens on stdin, so that forms can; what was typed ahead or
 * pasted is kept and read first.
 */
export function createLineReader({ err }: Terminal, prompt: string, completeLine: CompleteLine): LineReader {
  const ahead: string[] = [];
  return {
    async next(history) {
      const waiting = ahead.shift();
      if (waiting !== undefined) {
        err.line(`${prompt}${waiting}`);
        return waiting;
      }
      return read(history);
    },
  };

  /** A completion that fails offers nothing. */
  async function offer(line: string, done: Done): Promise<void> {
    const found = await completeLine(line).catch((): CompleterResult => [[], line]);
    done(null, found);
  }

  async function read(history: readonly string[]): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const lines = createInterface({
      input: process.stdin,
      output: err.stream,
      prompt,
      history: [...history],
      historySize: 1000,
      removeHistoryDuplicates: true,
      completer: (line: string, done: Done) => void offer(line, done),
    });
    let first: string | undefined;
    lines.on('line', (line) => {
      if (first === undefined) {
        first = line;
        // A paste delivers its other lines in the same turn.
        setImmediate(() => lines.close());
      } else ahead.push(line);
    });
    lines.on('SIGINT', () => {
      if (lines.line === '') err.write('\n(quit or Ctrl-D leaves)\n');
      else err.write('^C\n');
      // The line is dropped by writing over it: readline's own key for that is Ctrl-U after Ctrl-E.
      lines.write(null, { ctrl: true, name: 'e' });
      lines.write(null, { ctrl: true, name: 'u' });
      lines.prompt();
    });
    lines.on('close', () => resolve(first));
    lines.prompt();
    return promise;
  }
}
