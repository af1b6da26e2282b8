import { isTimeout } from '../../../core/async/deadline.ts';
import { PegboardError, messageOf } from '../../../core/errors.ts';
import type { ProcessResult } from '../../../core/processes/process.ts';
import type { Redactor } from '../../../core/secrets/redact.ts';
import type { CommandMode } from '../command/load.ts';
import { withCommas } from '../../../core/text/with-commas.ts';

/** Characters of output in the message and in the data. Programs print errors last. */
const maxShownLength = 2_000;
const maxKeptLength = 20_000;

/** What a program that failed says about it. Its output is redacted before it is cut: half a secret is one too. */
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
  // Why a file can't be written or a host not be found.
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

/** What it had printed until its time was up often says why. Anything else that stopped it speaks for itself. */
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

/** "pegboard: line 2: foo: command not found", as bash says it. */
function missingProgram(stderr: string): string | undefined {
  return /^pegboard: line \d+: (.+): (?:command not found|No such file or directory)$/m.exec(stderr)?.[1];
}

function lastPart(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.length - length;
  const afterPair = /[\udc00-\udfff]/.test(text[start]!) ? start + 1 : start;
  return `[… ${withCommas(afterPair)} characters before this left out …]\n${text.slice(afterPair)}`;
}
