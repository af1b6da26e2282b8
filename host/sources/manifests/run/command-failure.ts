import { isTimeout } from '../../../core/async/deadline.ts';
import { PegboardError, messageOf } from '../../../core/errors.ts';
import type { ProcessResult } from '../../../core/processes/process.ts';
import type { Redactor } from '../../../core/secrets/redact.ts';
import type { CommandMode } from '../command/load.ts';
import { withCommas } from '../../../core/text/with-commas.ts';

/** Maximum characters of output in the message and in the data: its end, since programs print errors last. */
const maxShownLength = 2_000;
const maxKeptLength = 20_000;

/**
 * The error for a program that failed. Its output is redacted before it is cut, since half a secret would not be
 * recognized.
 */
export function commandFailure(
  tool: string,
  mode: CommandMode,
  result: ProcessResult,
  { redactor, confinement }: { readonly redactor: Redactor; readonly confinement: string | undefined },
): PegboardError {
  const stdout = redactor.text(result.stdout);
  const stderr = redactor.text(result.stderr);
  const { exitCode, signal } = result;
  const data = {
    exitCode,
    signal,
    stdout: lastPart(stdout, maxKeptLength),
    stderr: lastPart(stderr, maxKeptLength),
  };
  // The sandbox may be the reason why a file can't be written or a host can't be found.
  const where = confinement === undefined ? '' : `; it ran ${confinement}`;
  const missing = mode === 'shell' && exitCode === 127 ? missingProgram(stderr) : undefined;
  if (missing !== undefined)
    return new PegboardError(
      'PEG_PROGRAM_NOT_FOUND',
      `The program "${missing}", which ${tool} uses, is not installed, or is not in PATH${where}.`,
      { data: { ...data, program: missing } },
    );
  const ended = (exitCode === null ? `was ended by ${signal}` : `failed with exit code ${exitCode}`) + where;
  const output = (stderr.trim() === '' ? stdout : stderr).trim();
  return new PegboardError(
    'PEG_COMMAND_FAILED',
    output === ''
      ? `${tool} ${ended} and printed nothing.`
      : `${tool} ${ended}:\n${lastPart(output, maxShownLength)}`,
    { data },
  );
}

/** The output before a timeout often shows its cause. Any other reason is clear without it. */
export function commandStopped(
  tool: string,
  result: ProcessResult,
  reason: unknown,
  redactor: Redactor,
): unknown {
  const stdout = redactor.text(result.stdout);
  const stderr = redactor.text(result.stderr);
  const output = (stderr.trim() === '' ? stdout : stderr).trim();
  if (!isTimeout(reason) || output === '') return reason;
  return new PegboardError(
    'PEG_TIMEOUT',
    `${tool} ${messageOf(reason)} and was stopped. It had printed:\n${lastPart(output, maxShownLength)}`,
    { data: { stdout: lastPart(stdout, maxKeptLength), stderr: lastPart(stderr, maxKeptLength) } },
  );
}

/** "pegboard: line 2: foo: command not found", the message of bash. */
function missingProgram(stderr: string): string | undefined {
  return /^pegboard: line \d+: (.+): (?:command not found|No such file or directory)$/m.exec(stderr)?.[1];
}

function lastPart(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.length - length;
  const afterPair = /[\udc00-\udfff]/.test(text[start]!) ? start + 1 : start;
  return `[… ${withCommas(afterPair)} characters before this left out …]\n${text.slice(afterPair)}`;
}
