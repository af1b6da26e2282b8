import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { OpenQuestionRow, QuestionOutcome } from '../../../wire.ts';
import type { Choice } from '../../../../api/questions.ts';
import { choiceLabels } from '../../../../core/choices.ts';
import { messageOf, post } from '../../api.ts';
import { useFocusAfter } from '../../parts/focus-after.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { shortTime } from '../../parts/time.ts';
import { withProof } from '../../proof.ts';
import { answering, dismiss, settle, type Card } from './cards.ts';
import { Countdown } from './countdown.tsx';
import { verdictOf } from './verdict.ts';

/** A question with its answers, or with what came of it. Its buttons answer this question, whichever is first by now. */
export function QuestionCard({ card: { question, verdict } }: { readonly card: Card }) {
  const { id, tool, message, detail, notes, asker, agent, askedAt, expiresAt } = question;
  const box = useRef<HTMLElement>(null);
  useFocusAfter(box, () => document.querySelector<HTMLElement>('.question h3, h1'));
  return (
    <section
      ref={box}
      class={verdict ? 'sheet ask question over' : 'sheet ask question'}
      aria-labelledby={`question-${id}`}
    >
      <h3 id={`question-${id}`} tabIndex={-1}>
        <HiddenText text={message} />
      </h3>
      {detail !== '' && (
        <pre tabIndex={0} role="region" aria-label={`What exactly question ${id} is about`}>
          <HiddenText text={detail} />
        </pre>
      )}
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note) => (
            <li>
              <HiddenText text={note} />
            </li>
          ))}
        </ul>
      )}
      <p class="row quiet">
        <span>
          <span class="mono">{tool}</span> · asked by {agent === undefined ? asker : `${agent}, ${asker}`} at{' '}
          {shortTime(Date.parse(askedAt))}
        </span>
        <span class="grow" />
        {!verdict && <Countdown until={expiresAt} />}
      </p>
      {verdict ? (
        <div class="row answers">
          <strong id={`verdict-${id}`} class={verdict.tone} role="status" tabIndex={-1}>
            {verdict.text}
          </strong>
          <span class="grow" />
          <button
            type="button"
            class="small"
            aria-label={`Dismiss question ${id}`}
            onClick={() => dismiss(id)}
          >
            Dismiss
          </button>
        </div>
      ) : (
        <Answers question={question} />
      )}
    </section>
  );
}

function Answers({ question }: { readonly question: OpenQuestionRow }) {
  const isBusy = useSignal(false);
  const problem = useSignal('');
  const box = useRef<HTMLDivElement>(null);
  useFocusAfter(box, () => document.getElementById(`verdict-${question.id}`));
  const answer = async (decision: Choice | 'no'): Promise<void> => {
    // A second click on a slow connection.
    if (isBusy.value) return;
    isBusy.value = true;
    problem.value = '';
    answering.add(question.id);
    try {
      const outcome = await withProof(() => post<QuestionOutcome>(`question/${question.id}`, { decision }));
      if (outcome) settle(question, verdictOf(outcome));
    } catch (cause) {
      problem.value = messageOf(cause);
    } finally {
      answering.delete(question.id);
      isBusy.value = false;
    }
  };
  return (
    <>
      <div ref={box} class="row answers">
        {question.choices.map((choice, at) => (
          <button
            type="button"
            class={at === 0 ? 'main' : ''}
            aria-disabled={isBusy.value}
            onClick={() => void answer(choice)}
          >
            {choiceLabels[choice]}
            {choice === 'always' && <span class="quiet"> needs a code</span>}
          </button>
        ))}
        <button type="button" class="no" aria-disabled={isBusy.value} onClick={() => void answer('no')}>
          Deny
        </button>
      </div>
      {problem.value !== '' && (
        <p class="bad" role="alert">
          {problem.value}
        </p>
      )}
    </>
  );
}
