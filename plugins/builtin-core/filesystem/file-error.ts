import { getSystemErrorMessage } from 'node:util';
import { PegboardError } from 'pegboard';

/** Runs `work`. Errors of system calls are replaced with messages that name `path` instead of the descriptor. */
export async function explainFileErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const { code, errno } = cause as NodeJS.ErrnoException;
    if (cause instanceof PegboardError || code === undefined || errno === undefined) throw cause;
    throw new PegboardError('PEG_TOOL_FAILED', `${path}: ${getSystemErrorMessage(errno)} (${code}).`, {
      cause,
    });
  }
}
