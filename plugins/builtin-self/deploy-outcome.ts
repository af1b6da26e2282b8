import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Deliver, Logger, Service } from 'pegboard';
import { isRunning } from 'pegboard/processes';
import { noteInService } from './in-service.ts';
import { isOver, planFile, readPlan, writePlan, type DeployPlan } from './deploy-plan.ts';

export interface OutcomeOptions {
  readonly home: string;
  /** Of the checkout. */
  readonly root: string;
  readonly deliver: Deliver;
  /** Has somebody go on with a deploy. */
  readonly supervise: (plan: DeployPlan) => void;
  readonly log: Logger;
}

/** Milliseconds between two looks at the deploy. */
const pollIntervalMs = 1_000;

/**
 * Tells whoever asked for a deploy how it went: that is known only after the restart, so the next host tells it. A
 * deploy that nobody supervises any more is taken up again.
 */
export function createOutcomeService({ home, root, deliver, supervise, log }: OutcomeOptions): Service {
  const file = planFile(home);
  let seen: number | undefined;
  /** Of the last look: whoever is about to take over gets the time for it. */
  let wasLeft = false;

  const look = async (signal: AbortSignal): Promise<void> => {
    const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (changed === undefined || (changed === seen && !wasLeft)) return;
    const plan = readPlan(file);
    if (!plan || plan.told) {
      seen = changed;
      return;
    }
    if (isOver(plan)) {
      await tellOutcome(home, deliver, signal);
      return;
    }
    const isLeft = plan.pid === undefined || !isRunning(plan.pid);
    if (isLeft && wasLeft) {
      log.warn('a deploy was interrupted; it goes on now', { tag: plan.tag });
      supervise(plan);
    }
    wasLeft = isLeft && !wasLeft;
  };
  return {
    name: 'deploys',
    async start(signal) {
      await noteInService(root, home).catch((cause: unknown) =>
        log.error('the version in service could not be tagged: no deploy can go back to it', { cause }),
      );
      void (async () => {
        while (!signal.aborted) {
          await look(signal).catch((cause: unknown) => {
            if (!signal.aborted) log.error('nobody could be told of a deploy', { cause });
          });
          await delay(pollIntervalMs, undefined, { signal, ref: false }).catch(() => {});
        }
      })();
    },
  };
}

/** Tells whoever asked for the last deploy how it went, unless they know. Returns it; undefined: there is no outcome. */
export async function tellOutcome(
  home: string,
  deliver: Deliver,
  signal: AbortSignal,
): Promise<string | undefined> {
  const file = planFile(home);
  const plan = readPlan(file);
  if (!plan || !isOver(plan)) return undefined;
  const text = outcomeOf(plan);
  if (plan.told) return text;
  await deliver(plan.chat, { text }, signal);
  writePlan(file, { ...plan, told: true });
  return text;
}

function outcomeOf({ state, tag, tried, why }: DeployPlan): string {
  if (state === 'well') return `Deployed: the new version (${tried.slice(0, 9)}) is in service.`;
  const failed = `The new version (${tried.slice(0, 9)}) was not well: ${why}.`;
  return state === 'back'
    ? `${failed} ${tag}, the version before, is in service again.`
    : `${failed} Somebody has to look: data/deploy.log tells what was tried.`;
}
