import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { asSentence, type Deliver, type Logger, type Service } from 'pegboard';
import { isRunning } from 'pegboard/processes';
import type { Checkout } from './git.ts';
import { noteInService } from './in-service.ts';
import { isOver, planFile, readPlan, writePlan, type DeployPlan } from './deploy-plan.ts';

export interface OutcomeOptions {
  readonly home: string;
  /** Of the checkout. */
  readonly project: Checkout;
  readonly deliver: Deliver;
  /** Starts a process that continues a deploy. */
  readonly supervise: (plan: DeployPlan, env: Checkout['env']) => void;
  readonly log: Logger;
}

/** Milliseconds between two checks of the deploy. */
const pollIntervalMs = 1_000;

/**
 * Reports the outcome of a deploy to its requester. It is known only after the restart, so the next host reports it. A
 * deploy whose supervisor has died is resumed.
 */
export function createOutcomeService({ home, project, deliver, supervise, log }: OutcomeOptions): Service {
  const file = planFile(home);
  let seen: number | undefined;
  /** At the last check. A supervisor that is about to take over gets time for it. */
  let wasLeft = false;

  const look = async (signal: AbortSignal): Promise<void> => {
    const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (changed === undefined || (changed === seen && !wasLeft)) return;
    const plan = readPlan(file);
    if (!plan || plan.reported) {
      seen = changed;
      return;
    }
    if (isOver(plan)) {
      await reportOutcome(home, deliver, signal);
      return;
    }
    const isLeft = plan.pid === undefined || !isRunning(plan.pid);
    if (isLeft && wasLeft) {
      log.warn('a deploy was interrupted and continues now', { tag: plan.tag });
      supervise(plan, project.env);
    }
    wasLeft = isLeft && !wasLeft;
  };
  return {
    name: 'deploys',
    async start(signal) {
      await noteInService(project, home).catch((cause: unknown) =>
        log.error('the running version could not be tagged, so no deploy can roll back to it', { cause }),
      );
      void (async () => {
        while (!signal.aborted) {
          await look(signal).catch((cause: unknown) => {
            if (!signal.aborted) log.error('the outcome of a deploy could not be reported', { cause });
          });
          await delay(pollIntervalMs, undefined, { signal, ref: false }).catch(() => {});
        }
      })();
    },
  };
}

/**
 * Reports the outcome of the last deploy to its requester, unless it was reported before. Returns the outcome, or
 * undefined if there is none.
 */
export async function reportOutcome(
  home: string,
  deliver: Deliver,
  signal: AbortSignal,
): Promise<string | undefined> {
  const file = planFile(home);
  const plan = readPlan(file);
  if (!plan || !isOver(plan)) return undefined;
  const text = outcomeOf(plan);
  if (plan.reported) return text;
  await deliver(plan.chat, { text }, signal);
  writePlan(file, { ...plan, reported: true });
  return text;
}

function outcomeOf({ state, tag, tried, why = 'the reason is not known' }: DeployPlan): string {
  if (state === 'well') return `Deployed: the new version (${tried.slice(0, 9)}) is running.`;
  const failed = `The new version (${tried.slice(0, 9)}) was unhealthy: ${asSentence(why)}`;
  return state === 'back'
    ? `${failed} ${tag}, the previous version, is running again.`
    : `${failed} Somebody has to intervene: data/deploy.log lists what was tried.`;
}
