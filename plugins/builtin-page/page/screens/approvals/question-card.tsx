import { useRef } from 'preact/hooks';
import { Answers } from '../../bridge/answers.tsx';
import { whoAsks } from '../../parts/asker.ts';
import { useFocusAfter } from '../../parts/focus-after.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { shortTime } from '../../parts/time.ts';
import { dismiss, type Card } from './cards.ts';
import { Countdown } from './countdown.tsx';

/** A question with its answers, or with what came of it. Its buttons answer this question, whichever is first by now. */
export function QuestionCard({ card: { question, verdict } }: { readonly card: Card }) {
  const { id, tool, message, detail, notes, askedAt, expiresAt } = question;
  const box = useRef<HTMLElement>(null);
  useFocusAfter(box, () => document.querySelector<HTMLElement>('.question h3, h1'));
  return (
    <article
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
          <span class="mono">{tool}</span> · asked by {whoAsks(question)} at {shortTime(Date.parse(askedAt))}
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
    </article>
  );
}
