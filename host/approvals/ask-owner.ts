import { hash } from 'node:crypto';
import type { Logger } from '../api/log.ts';
import { isAllowed } from '../core/answered-elsewhere.ts';
import { messageOf, PegboardError } from '../core/errors.ts';
import { askElsewhere } from '../dispatch/ask-elsewhere.ts';
import { askEverywhere, type RemoteAnswers } from '../dispatch/ask-everywhere.ts';
import type { Host } from '../host.ts';
import {
  approveCommand,
  type PendingApproval,
  type ApprovalReview,
  type ApprovingHost,
} from './pending-approval.ts';
import { pendingIn } from './pending-in-host.ts';

export interface AskOwnerOptions {
  readonly host: ApprovingHost & Pick<Host, 'surroundings'>;
  readonly elsewhere: RemoteAnswers;
  readonly log: Logger;
}

/** In milliseconds: a server that starts reports several changes at once. */
const settleMs = 300;

/**
 * For a long-running host: asks the owner once about each new pending approval, wherever they can be asked. Only what can
 * be shown whole is asked about; the rest waits for `pegboard approvals allow`. A question is withdrawn when its approval
 * is settled or has changed. Disposing ends all questions.
 */
export function askOwner({ host, elsewhere, log }: AskOwnerOptions): AsyncDisposable {
  const { clock } = host.surroundings;
  const closing = new AbortController();
  /** By what is shown. */
  const asked = new Map<string, AbortController>();
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  const ask = async (
    pending: PendingApproval,
    look: ApprovalReview,
    binding: string,
    signal: AbortSignal,
  ): Promise<void> => {
    const { question: message, detail } = look;
    const notes = look.warnings.map((text) => `Careful: ${text}.`);
    const kept = {
      tool: pending.id,
      message,
      detail,
      notes,
      binding,
      asker: 'pegboard start',
      agent: undefined,
    };
    const refusal = nobodyToAsk(pending);
    try {
      const decided = await askEverywhere(
        { message, detail, notes },
        // It counts until it changes again.
        { ...kept, choices: ['always'] },
        { ask: askElsewhere, here: 'pegboard start', elsewhere, signal, refusal, log, clock },
      );
      if (!isAllowed(decided)) return;
      const outcome = await look.approve();
      log.info(outcome, { by: decided.by });
    } catch (cause) {
      if (!signal.aborted) log.warn(`${pending.id} stays pending: ${messageOf(cause)}`);
    }
  };
  /** One that can't be read, such as a folder without permissions, doesn't keep the others from being asked about. */
  const lookAtOne = (
    pending: PendingApproval,
  ): readonly { readonly pending: PendingApproval; readonly look: ApprovalReview }[] => {
    try {
      const shown = pending.review();
      return shown.isComplete ? [{ pending, look: shown }] : [];
    } catch (cause) {
      log.warn(`${pending.id} is pending approval, but could not be read`, { cause });
      return [];
    }
  };
  const look = (): void => {
    const now = new Map(
      pendingIn(host)
        .flatMap(lookAtOne)
        .map((one) => [hash('sha256', `${one.pending.id}\0${one.look.detail}`), one] as const),
    );
    for (const [key, settled] of asked) {
      if (now.has(key)) continue;
      settled.abort();
      asked.delete(key);
    }
    for (const [key, { pending, look: shown }] of now) {
      if (asked.has(key)) continue;
      const settled = new AbortController();
      asked.set(key, settled);
      const signal = AbortSignal.any([settled.signal, closing.signal]);
      const asking = ask(pending, shown, key, signal).finally(() => running.delete(asking));
      running.add(asking);
    }
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(look, settleMs);
  };
  const listening = [host.registry.onChange(soon), host.spaces.onChange(soon)];
  soon();
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      for (const one of listening) one[Symbol.dispose]();
      closing.abort();
      await Promise.all(running);
    },
  };
}

const nobodyToAsk = (pending: PendingApproval): PegboardError =>
  new PegboardError('PEG_NOBODY_TO_ASK', `there is nobody to ask. \`${approveCommand(pending)}\` shows it.`);
