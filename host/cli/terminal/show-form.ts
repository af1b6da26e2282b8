import type { Readable } from 'node:stream';
import type { CANCEL_SYMBOL } from '@clack/prompts';
import type { Terminal } from './terminal.ts';

/** Where a form is shown, and the signal that ends it. */
export interface FormPlace {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** The options of every clack form. */
export interface FormStreams {
  readonly input: Readable;
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

export type Clack = typeof import('@clack/prompts');

/**
 * Shows one form of clack. It reads from the terminal's keyboard, never from process.stdin. Undefined when the person
 * cancels (Escape, Ctrl-C, Ctrl-D), when the terminal is gone, or when the signal of `place` aborts.
 */
export async function showForm<T>(
  { terminal, signal }: FormPlace,
  form: (clack: Clack, streams: FormStreams) => Promise<T | typeof CANCEL_SYMBOL>,
): Promise<T | undefined> {
  const clack = await import('@clack/prompts');
  if (signal.aborted) return undefined;
  using keys = terminal.keyboard.openForm();
  // A clack form never stops listening to its signal, and would write to the terminal when that aborts later.
  const ended = new AbortController();
  const end = (): void => ended.abort();
  signal.addEventListener('abort', end);
  try {
    const streams = { input: keys.input, output: terminal.err.stream, signal: ended.signal };
    const answer = await form(clack, streams);
    return clack.isCancel(answer) ? undefined : answer;
  } finally {
    signal.removeEventListener('abort', end);
  }
}
