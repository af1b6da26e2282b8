import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { DeployPlan } from './deploy-plan.ts';

/** Milliseconds between two checks: short enough to catch a host that keeps restarting. */
const pauseMs = 250;
/** Maximum characters of a command's output. */
const maxReasonLength = 300;

/** Writes a line to the log. A full disk must not stop the rollback. */
export function log(text: string): void {
  try {
    writeSync(1, `${new Date().toISOString()} ${text}\n`);
  } catch {
    // The log can't be written.
  }
}

export function logFailureOf(what: string, work: () => void): void {
  try {
    work();
  } catch (cause) {
    log(`${what}: ${(cause as Error).message}`);
  }
}

/** Runs a command. Returns the failure, or undefined on success. */
export function failureOfCommand(
  what: string,
  argv: readonly string[],
  { root, commandLimit }: Pick<DeployPlan, 'root' | 'commandLimit'>,
): string | undefined {
  const ended = spawnSync(argv[0]!, argv.slice(1), {
    cwd: root,
    timeout: commandLimit * 1000,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (ended.status === 0) return undefined;
  const { error } = ended;
  if (error?.message.endsWith('ETIMEDOUT')) return `${what} took longer than ${commandLimit} s`;
  // "spawnSync PROGRAM ENOENT"
  if (error) return `${what} could not be run: ${error.message.replace('spawnSync ', '')}`;
  const output = `${ended.stdout}\n${ended.stderr}`.trim().slice(-maxReasonLength);
  return `${what} ended with ${ended.status ?? ended.signal}${output === '' ? '' : `: ${output}`}`;
}

/**
 * The host has to become healthy in time and to stay so: one that crashes after a second is unhealthy. Returns the
 * problem.
 */
export async function findHealthProblem(plan: DeployPlan): Promise<string | undefined> {
  const look = (): string | undefined => failureOfCommand('the health check', plan.health, plan);
  const upBy = Date.now() + plan.healthWithin * 1000;
  for (let wrong = look(); wrong !== undefined; wrong = look()) {
    if (Date.now() > upBy) return `it was not healthy within ${plan.healthWithin} s: ${wrong}`;
    await delay(pauseMs);
  }
  const until = Date.now() + plan.healthFor * 1000;
  for (;;) {
    await delay(pauseMs);
    // The last check begins when the time is over, however long the others took.
    const isLast = Date.now() >= until;
    const wrong = look();
    if (wrong !== undefined) return `it was healthy, and then no longer: ${wrong}`;
    if (isLast) return undefined;
  }
}
