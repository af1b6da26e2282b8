import type { Logger } from '../../../../api/log.ts';
import { visibleText } from '../../../../core/foreign/visible-text.ts';

const maxLineLength = 2_000;
/** Maximum lines that one server may log in a period; the rest is counted. */
const linesPerPeriod = 200;
const periodMs = 10_000;
const tailLength = 2_000;

export interface StderrLog {
  push(chunk: string): void;
  /** The last words of the server, for the message that says why it ended. */
  readonly tail: string;
}

/** Writes a server's stderr into the log, with a limited rate. */
export function createStderrLog(log: Logger): StderrLog {
  let partial = '';
  let tail = '';
  let periodEnds = 0;
  let lines = 0;

  const write = (line: string): void => {
    if (line.trim() === '') return;
    const now = performance.now();
    if (now > periodEnds) {
      if (lines > linesPerPeriod) log.warn(`${lines - linesPerPeriod} more lines on stderr were left out`);
      periodEnds = now + periodMs;
      lines = 0;
    }
    if (++lines <= linesPerPeriod) log.info(visibleText(line.slice(0, maxLineLength)));
  };
  return {
    push(chunk) {
      tail = (tail + chunk).slice(-tailLength);
      const parts = (partial + chunk).split('\n');
      partial = parts.pop()!.slice(0, maxLineLength);
      parts.forEach(write);
    },
    get tail() {
      return visibleText(tail).trim();
    },
  };
}
