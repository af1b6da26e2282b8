import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PendingRow } from '../../../wire.ts';
import { questions } from '../../live/live.ts';
import { reading } from '../../live/reading.ts';
import { Broken } from '../../parts/broken.tsx';
import { Offline } from '../../parts/offline.tsx';
import { cards } from './cards.ts';
import { PendingCard } from './pending-card.tsx';
import { QuestionCard } from './question-card.tsx';

const pending = reading<{ readonly pending: readonly PendingRow[] }>('pending');

/** Open questions and pending approvals. */
export function ApprovalsScreen() {
  const accepted = useSignal<readonly string[]>([]);
  /** By id. They outlive the card, which is another one when what is pending has changed. */
  const problems = useSignal<{ readonly [id: string]: string }>({});
  useEffect(() => pending.follow(), []);
  const asked = questions.value?.length ?? 0;
  const held = pending.value.value?.pending ?? [];
  return (
    <div class="scroll narrow">
      <header class="lead">
        <h1 tabIndex={-1}>{questions.value === undefined ? 'Approvals' : sentenceOf(asked, held.length)}</h1>
      </header>
      <Offline knowsNothing={questions.value === undefined} />
      {cards.value.length === 0 && held.length === 0 && questions.value !== undefined && (
        <p class="quiet">
          What an agent, a schedule or a client wants to run and you have to allow shows here, and in every
          other place where you can be asked. So does what is new or has changed and is not used before you
          accept it.
        </p>
      )}
      {cards.value.length > 0 && (
        <section aria-labelledby="questions">
          <h2 id="questions">Questions</h2>
          {cards.value.map((card) => (
            <QuestionCard key={card.question.id} card={card} />
          ))}
        </section>
      )}
      {(held.length > 0 || accepted.value.length > 0 || pending.problem.value !== undefined) && (
        <section aria-labelledby="pending">
          <h2 id="pending">New or changed</h2>
          {pending.problem.value !== undefined && (
            <Broken
              what="What is pending could not be read."
              why={pending.problem.value}
              again={() => void pending.read()}
            />
          )}
          {accepted.value.map((message) => (
            <p class="sheet good accepted" role="status" tabIndex={-1}>
              {message}
            </p>
          ))}
          {held.map((one) => (
            <PendingCard
              // Its buttons accept what is shown, and nothing else.
              key={`${one.id} ${one.shown}`}
              pending={one}
              onAccepted={(message) => {
                problems.value = {};
                accepted.value = [...accepted.value, message];
                void pending.read();
              }}
              problem={problems.value[one.id]}
              onFailed={(message) => {
                problems.value = { ...problems.value, [one.id]: message };
                void pending.read();
              }}
            />
          ))}
        </section>
      )}
    </div>
  );
}

function sentenceOf(asked: number, held: number): string {
  const open =
    asked === 0 ? '' : asked === 1 ? '1 question waits for you' : `${asked} questions wait for you`;
  const things =
    held === 0 ? '' : held === 1 ? '1 thing is new or changed' : `${held} things are new or changed`;
  if (open && things) return `${open}, and ${things}.`;
  return open || things ? `${open || things}.` : 'Nothing waits for you.';
}
