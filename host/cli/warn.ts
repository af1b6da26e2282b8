import { shownMessage } from './terminal/safe.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Prints a warning as one paragraph on stderr; the command continues. */
export function warn({ err }: Terminal, message: string): void {
  err.line(`${err.style.warning('warning:')} ${shownMessage(message)}`);
}
