import { stripVTControlCharacters } from 'node:util';
import { PegboardError } from 'pegboard';
import { childEnvironment, runProcess, type ProcessResult } from 'pegboard/processes';
import type { Checkout } from './git.ts';

export interface SelfCheckOptions extends Checkout {
  /** Arguments after the path of Node. */
  readonly args: readonly string[];
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Maximum characters shown of the output. */
const maxShownLength = 4_000;
const maxNamed = 20;

/**
 * Runs a check of a version before it is deployed: `what` passes if it exits with 0. Throws PEG_COMMAND_FAILED with the
 * names of failed tests when it fails, PEG_TOOL_FAILED when it was stopped or broke, so that the result is unknown, and
 * the reason of `signal` when aborted.
 */
export async function check(
  what: string,
  { root, env, args, timeoutMs, signal }: SelfCheckOptions,
): Promise<void> {
  const began = performance.now();
  const ended = await runProcess({
    argv: [process.execPath, ...args],
    cwd: root,
    environment: childEnvironment(env, { NO_COLOR: '1' }),
    timeoutMs,
    signal,
  });
  if (ended.exitCode === 0) return;
  const output = stripVTControlCharacters(`${ended.stdout}\n${ended.stderr}`).trim();
  const shown = output.slice(-maxShownLength);
  const stopped = whyUnknown(ended, output, timeoutMs);
  if (stopped !== undefined) {
    const seconds = Math.round((performance.now() - began) / 1000);
    const printed = shown === '' ? '' : `\nIts output until then:\n${shown}`;
    throw new PegboardError(
      'PEG_TOOL_FAILED',
      `Not deployed: the check of the ${what} ${stopped}, after ${seconds} s, so it is not known whether they are right.${printed}`,
    );
  }
  throw new PegboardError(
    'PEG_COMMAND_FAILED',
    `Not deployed: the ${what} are wrong${namesIn(output)}.\n${shown}`,
  );
}

/** Why a failed run has no meaningful result. Undefined if the check failed. */
function whyUnknown(
  { ended, exitCode, signal }: ProcessResult,
  output: string,
  timeoutMs: number,
): string | undefined {
  if (ended === 'aborted')
    return 'was stopped with the call, as when its turn was cancelled or the host stopped';
  if (ended === 'timeout') return `did not end within ${timeoutMs / 1000} s and was stopped`;
  if (signal !== null) return `was ended by ${signal} from outside, as where memory is short`;
  if (output === '') return `ended with exit code ${exitCode} and no output`;
  // vitest also fails for errors outside of tests, such as a worker process that did not answer in time on a busy
  // machine.
  const hasSummary = /^\s*Test Files\s.*\d/m.test(output);
  return hasSummary && !/\b[1-9]\d* failed\b/.test(output)
    ? `ended with exit code ${exitCode} although no test failed`
    : undefined;
}

/** The names of failed tests. */
function namesIn(output: string): string {
  const names = new Set(Array.from(output.matchAll(/^\s*FAIL\s+(\S.*)$/gm), ([, name]) => name!.trim()));
  if (names.size === 0) return '';
  const more = names.size > maxNamed ? ` and ${names.size - maxNamed} more` : '';
  return `: ${[...names].slice(0, maxNamed).join('; ')}${more}`;
}
