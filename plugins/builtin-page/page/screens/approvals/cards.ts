import { computed, effect, signal } from '@preact/signals';
import type { OpenQuestionRow, QuestionOutcome } from '../../../wire.ts';
import { get } from '../../api.ts';
import { questions } from '../../live/live.ts';
import { overOf, type Verdict } from './verdict.ts';

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

/** Questions for which this page has sent an answer, whose verdict is on its way. */
export const answering = new Set<number>();

/** Notes new questions, and that others are over. */
effect(() => {
  const open = questions.value;
  if (!open) return;
  const next = new Map(shown.peek());
  for (const question of open) if (!next.get(question.id)?.verdict) next.set(question.id, { question });
  const ids = new Set(open.map(({ id }) => id));
  for (const [id, { question, verdict }] of next)
    if (!ids.has(id) && !verdict && !answering.has(id)) {
      next.set(id, { question, verdict: { text: 'It is over.', tone: 'quiet' } });
      void tellWhy(question);
    }
  shown.value = next;
});

/** The host says which questions are open; why one is over, it is asked. */
async function tellWhy(question: OpenQuestionRow): Promise<void> {
  let verdict: Verdict;
  try {
    verdict = overOf(question, await get<QuestionOutcome>(`question/${question.id}`));
  } catch {
    verdict = { text: 'It is over: answered in another place, or its asker has ended.', tone: 'quiet' };
  }
  if (shown.value.has(question.id)) settle(question, verdict);
}

export function settle(question: OpenQuestionRow, verdict: Verdict): void {
  shown.value = new Map(shown.value).set(question.id, { question, verdict });
}

export function dismiss(id: number): void {
  const next = new Map(shown.value);
  next.delete(id);
  shown.value = next;
}
