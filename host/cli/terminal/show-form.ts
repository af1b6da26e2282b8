import type { Readable } from 'node:stream';
import type { CANCEL_SYMBOL } from '@clack/prompts';
import type { RawKey } from './keyboard.ts';
import type { Terminal } from './terminal.ts';

/** Where a form is shown, and the signal that ends it. */
export interface FormPlace {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /**
   * Called when the person ends the form with Ctrl-C or Ctrl-D, which is meant for more than this one question, and when
   * the terminal has ended, where no question can be answered any more.
   */
  readonly interrupt?: () => void;
}

/** The options of every clack form. */
export interface FormStreams {
  readonly input: Readable;
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

export type Clack = typeof import('@clack/prompts');

/**
 * Shows one form of clack. It reads from the terminal's keyboard, never from stdin itself. Undefined when the person
 * cancels (Escape, Ctrl-C, Ctrl-D), when the terminal is gone, or when the signal of `place` aborts.
 */
export async function showForm<T>(
  { terminal, signal, interrupt }: FormPlace,
  form: (clack: Clack, streams: FormStreams) => Promise<T | typeof CANCEL_SYMBOL>,
): Promise<T | undefined> {
  const clack = await import('@clack/prompts');
  try {
    await terminal.keyboard.untilIdle(signal);
  } catch {
    return undefined;
  }
  using keys = terminal.keyboard.openForm();
  if (keys.ended.aborted) {
    interrupt?.();
    return undefined;
  }
  // A clack form never stops listening to its signal, and would write to the terminal when that aborts later.
  const ended = new AbortController();
  const end = (): void => ended.abort();
  signal.addEventListener('abort', end);
  let isInterrupted = false;
  keys.ended.addEventListener('abort', () => {
    isInterrupted = true;
    ended.abort();
  });
  keys.input.on('keypress', (_text, { name, ctrl }: RawKey) => {
    if (name === 'c' && ctrl) isInterrupted = true;
  });
  try {
    const streams = { input: keys.input, output: terminal.err.stream, signal: ended.signal };
    const answer = await form(clack, streams);
    if (!clack.isCancel(answer)) return answer;
    if (isInterrupted) interrupt?.();
    return undefined;
  } finally {
    signal.removeEventListener('abort', end);
  }
}
