import { safeForTerminal } from './terminal/safe.ts';
import type { Terminal } from './terminal/terminal.ts';

/** One paragraph on stderr: something happened that its reader should know, and the command goes on. */
export function warn({ err }: Terminal, message: string): void {
  err.line(`${err.style.warning('warning:')} ${safeForTerminal(message)}`);
}
