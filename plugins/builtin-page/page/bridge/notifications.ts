import { effect, signal } from '@preact/signals';
import type { OpenQuestionRow } from '../../wire.ts';
import { questions } from '../live/live.ts';
import { answer } from './answer.ts';
import { thisTab } from './this-tab.ts';

/** Notifications that stand in this tab until they are closed. */
export const shownHere = signal<readonly OpenQuestionRow[]>([]);

const known = new Set<number>();

/** Whether the person may be asked to let notifications of the system show. */
export const mayAsk = (): boolean => 'Notification' in window && Notification.permission === 'default';

/** Shows what is to be shown in this tab, as soon as the host says so. */
export function followNotifications(): void {
  effect(() => {
    for (const question of questions.value ?? []) {
      if (question.kind !== 'notification' || question.tab !== thisTab || known.has(question.id)) continue;
      known.add(question.id);
      show(question);
    }
  });
}

function show(question: OpenQuestionRow): void {
  const [title = '', ...rest] = question.message.split('\n');
  let shown = 'on the page';
  // Who looks at the page sees it there.
  if (
    document.visibilityState !== 'visible' &&
    'Notification' in window &&
    Notification.permission === 'granted'
  )
    try {
      const one = new Notification(title, { body: rest.join('\n'), icon: '/icon.svg' });
      one.addEventListener('click', () => window.focus());
      shown = 'as a notification of the system';
    } catch {
      // Some systems show none from a page without a service worker.
    }
  shownHere.value = [...shownHere.value, question];
  answer(question, { decision: 'answered', shown }).catch(() => {
    // Another place may have shown it meanwhile.
  });
}

export function close(id: number): void {
  shownHere.value = shownHere.value.filter((one) => one.id !== id);
}
