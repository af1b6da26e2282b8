import { hash } from 'node:crypto';
import type { Decision } from '../../api/questions.ts';
import { approveCommand, type PendingApproval } from '../../approvals/pending-approval.ts';
import { pendingIn } from '../../approvals/pending-in-host.ts';
import { isChoice } from '../../core/choices.ts';
import { PegboardError } from '../../core/errors.ts';
import type { Host } from '../../host.ts';
import { openQuestions } from '../live/live.ts';
import type { PendingRow, QuestionOutcome } from '../wire.ts';
import { requireProof, textIn, type ApiHandlers } from './handler.ts';

/** What waits for the owner: questions of running calls, and what is not used before it is approved. */
export function approvalHandlers(host: Host): ApiHandlers {
  return {
    'GET questions': async () => ({ open: await openQuestions(host) }),
    'GET question': async ({ path: [id] }): Promise<QuestionOutcome> => {
      const decided = await host.questions.decided(Number(id));
      return { counts: false, ...(decided && { decided }) };
    },
    'POST question': async (request): Promise<QuestionOutcome> => {
      const { path, body } = request;
      const decision = textIn(body, 'decision');
      if (!isDecision(decision)) throw new PegboardError('PEG_USAGE', `"${decision}" is no answer.`);
      // It outlives the call.
      if (decision === 'always') requireProof(request);
      const answered = await host.questions.answer(Number(path[0]), { decision, by: 'the page' });
      if (!answered) throw new PegboardError('PEG_USAGE', 'This question is not known any more.');
      const { counts, decided } = answered;
      return { counts, ...(decided && { decided }) };
    },
    'GET pending': () => ({ pending: pendingIn(host).flatMap((pending) => readable(pending, host)) }),
    'POST pending': async (request) => {
      requireProof(request);
      const { path, body } = request;
      const wanted = pendingIn(host).find(({ id }) => id === path.join('/'));
      if (!wanted) throw new PegboardError('PEG_USAGE', 'It is not pending any more.');
      const review = wanted.review();
      if (!review.isComplete)
        throw new PegboardError(
          'PEG_DENIED',
          `It is too long to be shown here whole. \`${approveCommand(wanted)}\` shows it.`,
        );
      if (shownIn(wanted.id, review.detail) !== textIn(body, 'shown'))
        throw new PegboardError('PEG_DENIED', 'It has changed since it was shown. Look at it again.');
      return { message: await review.approve() };
    },
  };
}

const isDecision = (text: string): text is Exclude<Decision, 'ended'> => text === 'no' || isChoice(text);

const shownIn = (id: string, detail: string): string => hash('sha256', `${id}\0${detail}`);

/** One that can't be read, such as a folder without permissions, does not hide the others. */
function readable(pending: PendingApproval, host: Host): readonly PendingRow[] {
  try {
    return [toRow(pending)];
  } catch (cause) {
    host.log.warn(`${pending.id} is pending approval, but could not be read`, { cause });
    return [];
  }
}

function toRow(pending: PendingApproval): PendingRow {
  const { id, what } = pending;
  const { question, detail, isComplete, warnings } = pending.review();
  return {
    id,
    what,
    question,
    detail,
    isComplete,
    command: approveCommand(pending),
    warnings,
    shown: shownIn(id, detail),
  };
}
