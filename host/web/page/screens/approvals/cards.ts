import { computed, effect, signal } from '@preact/signals';
import type { OpenQuestionRow } from '../../../wire.ts';
import { questions } from '../../live/live.ts';

/** What came of a question. */
export interface Verdict {
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'quiet';
}

/** A question with what came of it; without a verdict it is open. */
export interface Card {
  readonly question: OpenQuestionRow;
  readonly verdict?: Verdict;
}

/** Questions that this page has shown, until they are dismissed. */
const shown = signal<ReadonlyMap<number, Card>>(new Map());

/** In the order in which they were asked: none takes the place of another one. */
export const cards = computed((): readonly Card[] =>
  [...shown.value.values()].sort((a, b) => a.question.id - b.question.id),
);

/** Notes new questions, and that others are over. The host says which are open, never why one is over. */
effect(() => {
  const open = questions.value;
  if (!open) return;
  const next = new Map(shown.peek());
  for (const question of open) if (!next.get(question.id)?.verdict) next.set(question.id, { question });
  const ids = new Set(open.map(({ id }) => id));
  for (const [id, { question, verdict }] of next)
    if (!ids.has(id) && !verdict && !answering.has(id)) next.set(id, { question, verdict: overOf(question) });
  shown.value = next;
});

/** Questions for which this page has sent an answer, whose verdict is on its way. */
export const answering = new Set<number>();

function overOf({ expiresAt }: OpenQuestionRow): Verdict {
  const isLate = Date.parse(expiresAt) <= Date.now();
  return {
    text: isLate
      ? 'Nobody answered in time: nothing was run for it.'
      : 'It is over: answered in another place, or its asker has ended.',
    tone: 'quiet',
  };
}

export function settle(question: OpenQuestionRow, verdict: Verdict): void {
  shown.value = new Map(shown.value).set(question.id, { question, verdict });
}

export function dismiss(id: number): void {
  const next = new Map(shown.value);
  next.delete(id);
  shown.value = next;
}
