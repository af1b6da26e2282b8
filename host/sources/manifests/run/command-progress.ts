import { stripVTControlCharacters } from 'node:util';
import type { ToolCall } from '../../../api/tool.ts';
import type { Redactor } from '../../../core/secrets/redact.ts';
import { showHidden } from '../command/quote.ts';

/** Milliseconds between two reports. A command that ends sooner reports nothing. */
const pauseMs = 250;
/** Number of bytes at the end in which the last line is searched. */
const windowLength = 4_096;
const maxMessageLength = 200;

/** Reports the last line that a running command has printed; `progress` is the number of bytes so far. */
export function reportProgress(
  call: Pick<ToolCall, 'progress'>,
  redactor: Redactor,
): Disposable & { readonly add: (chunk: Buffer) => void } {
  let recent: Buffer = Buffer.alloc(0);
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;

  const report = (): void => {
    timer = undefined;
    const line = lastLine(recent, bytes > recent.length);
    const message =
      line && showHidden(stripVTControlCharacters(redactor.text(line)).trim()).slice(0, maxMessageLength);
    call.progress({ progress: bytes, ...(message && { message }) });
  };
  return {
    add(chunk) {
      bytes += chunk.length;
      recent = chunk.length >= windowLength ? chunk : Buffer.concat([recent, chunk]);
      recent = recent.subarray(-windowLength);
      timer ??= setTimeout(report, pauseMs);
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/**
 * The last complete line. A line whose beginning is missing is not shown, since a secret in it could not be recognised.
 */
function lastLine(bytes: Buffer, isCut: boolean): string | undefined {
  const lines = bytes.toString().split(/\r\n|[\r\n]/);
  lines.pop();
  if (isCut) lines.shift();
  return lines.findLast((line) => line.trim() !== '');
}
