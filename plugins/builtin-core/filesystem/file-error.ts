import { getSystemErrorMessage } from 'node:util';
import { PegboardError } from 'pegboard';

/** Runs `work`; a system call's failure becomes a sentence about `path` instead of the descriptor that was used. */
export async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
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
