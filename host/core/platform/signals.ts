import { thisPlatform } from './this-platform.ts';

/**
 * The signals that ask this process to end, each with its exit code: 128 and the signal's number. SIGINT, which the
 * terminal sends for Ctrl-C, is treated separately. On Windows, SIGHUP means that the console window is closed and
 * SIGBREAK is Ctrl-Break; nothing there sends SIGTERM.
 */
export const endSignals = (
  platform: NodeJS.Platform = thisPlatform,
): Readonly<Partial<Record<NodeJS.Signals, number>>> =>
  platform === 'win32' ? { SIGTERM: 143, SIGHUP: 129, SIGBREAK: 149 } : { SIGTERM: 143, SIGHUP: 129 };
