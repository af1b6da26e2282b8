import { type Choice, choiceLabels } from 'pegboard/browser';
import type { OpenQuestionRow, QuestionOutcome } from '../../../wire.ts';

/** What came of a question. */
export interface Verdict {
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'quiet';
}

type Answer = NonNullable<QuestionOutcome['decided']>;

/** Of a question that was answered here. */
export function verdictOf({ counts, decided }: QuestionOutcome): Verdict {
  if (!decided)
    return {
      text: 'Too late: its time was up or its asker had ended. Nothing was run for it.',
      tone: 'quiet',
    };
  const text = counts
    ? `${whatOf(decided)} by you.`
    : `${whatOf(decided)} ${whereOf(decided)}, which was first. Your answer does not count.`;
  return { text, tone: toneOf(decided) };
}

/** Of a question that is over without an answer of this page. */
export function overOf({ expiresAt }: OpenQuestionRow, { decided }: QuestionOutcome): Verdict {
  if (decided) return { text: `${whatOf(decided)} ${whereOf(decided)}.`, tone: toneOf(decided) };
  const isLate = Date.parse(expiresAt) <= Date.now();
  return {
    text: isLate
      ? 'Nobody answered in time: nothing was run for it.'
      : 'It is over without an answer: its asker has ended.',
    tone: 'quiet',
  };
}

/** "Denied", "Answered", "Allowed once", "Always allowed". */
function whatOf({ decision }: Answer): string {
  if (decision === 'no') return 'Denied';
  if (decision === 'answered') return 'Answered';
  const label = choiceLabels[decision as Choice] ?? `Allow ${decision}`;
  return label.replace(/^Always allow$/, 'Always allowed').replace(/^Allow /, 'Allowed ');
}

/** "in the terminal", "in another tab or browser", "by Anna (@anna), Telegram". */
function whereOf({ by }: Answer): string {
  if (by === 'the page') return 'in another tab or browser';
  if (by === 'pegboard approvals') return 'in a terminal';
  return by.startsWith('the ') ? `in ${by}` : `by ${by}`;
}

const toneOf = ({ decision }: Answer): Verdict['tone'] => (decision === 'no' ? 'bad' : 'good');
