import { PegboardError } from 'pegboard';
import type { Host } from 'pegboard/embed';
import { approveCommand, pendingIn } from 'pegboard/home';
import type { Tabs } from '../bridge/tabs.ts';
import { readAnswer } from '../bridge/read-answer.ts';
import type { PageFiles } from '../store/page-files.ts';
import { openQuestions } from '../live/live.ts';
import type { QuestionOutcome } from '../wire.ts';
import { requireProof, textIn, type ApiHandlers } from './handler.ts';
import { pendingRows, shownIn } from './pending-rows.ts';

/** What waits for the owner: questions of running calls, and what is not used before it is approved. */
export function approvalHandlers(host: Host, files: PageFiles, tabs: Tabs): ApiHandlers {
  return {
    'GET questions': async () => ({ open: await openQuestions(host, tabs) }),
    'GET question': async ({ path: [id] }): Promise<QuestionOutcome> => {
      const decided = await host.questions.decided(Number(id));
      return { counts: false, ...(decided && { decided }) };
    },
    'POST question': async (request): Promise<QuestionOutcome> => {
      const id = Number(request.path[0]);
      const said = await readAnswer({ host, files }, id, request);
      // It outlives the call.
      if (said.decision === 'always') requireProof(request);
      const answered = await host.questions.answer(id, { ...said, by: 'the page' });
      if (!answered) throw new PegboardError('PEG_USAGE', 'This question is not known any more.');
      const { counts, decided } = answered;
      return { counts, ...(decided && { decided }) };
    },
    'GET pending': () => ({ pending: pendingRows(pendingIn(host), host) }),
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
