import { PegboardError } from '../../core/errors.ts';
import type { ApprovalReview } from '../../approvals/pending-approval.ts';
import { exactText } from '../../core/foreign/shown-text.ts';
import type { Context } from '../command.ts';
import { withMargin } from '../terminal/with-margin.ts';
import { createAsk } from '../terminal/ask.ts';
import { oneLine } from '../terminal/safe.ts';

/**
 * Shows what is pending approval and asks for approval; --yes approves without asking. Throws PEG_NOBODY_TO_ASK and PEG_DECLINED.
 */
export async function approveReviewed(
  review: ApprovalReview,
  { terminal, options, signal }: Context,
): Promise<void> {
  const { err, out } = terminal;
  const lines = withMargin(exactText(review.detail).split('\n'), err, (text) => text);
  for (const line of lines) err.line(line);
  for (const text of review.warnings) err.line(err.style.warning(`Careful: ${oneLine(text)}.`));
  if (!options.flag('yes')) {
    const ask = createAsk(terminal, undefined, lines.length);
    if (!ask)
      throw new PegboardError(
        'PEG_NOBODY_TO_ASK',
        'Nothing was approved: there is nobody to ask. Read what is shown above, then pass --yes.',
      );
    const { action } = await ask({ message: review.question }, signal);
    if (action !== 'accept') throw new PegboardError('PEG_DECLINED', 'Nothing was approved.');
  }
  out.line(await review.approve());
}
