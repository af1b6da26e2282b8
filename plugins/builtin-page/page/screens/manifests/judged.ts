import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { LintAnswer } from '../../../manifests/wire.ts';
import { messageOf, post } from '../../api.ts';
import { encodePath } from '../../router.ts';

/** What the host says of a text; of an earlier one until it has said something of this. */
export interface Judged {
  readonly answer: ReadonlySignal<LintAnswer | undefined>;
  /** Why the text could not be judged. */
  readonly problem: ReadonlySignal<string | undefined>;
}

/** Milliseconds without a change after which the host is asked. */
const waitMs = 150;

/** Asks the host about each text, one at a time. `again`: ask once more when it changes. */
export function useJudged(file: string, text: string | undefined, again: unknown): Judged {
  const answer = useSignal<LintAnswer | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  useEffect(() => {
    if (text === undefined) return;
    const stop = new AbortController();
    const judge = async (): Promise<void> => {
      try {
        answer.value = await post<LintAnswer>(`manifest-lint/${encodePath(file)}`, { text }, stop.signal);
        problem.value = undefined;
      } catch (cause) {
        if (!stop.signal.aborted) problem.value = messageOf(cause);
      }
    };
    const timer = setTimeout(() => void judge(), answer.value === undefined ? 0 : waitMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, again]);
  return { answer, problem };
}
