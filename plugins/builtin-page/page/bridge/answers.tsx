import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { choiceLabels } from 'pegboard/browser';
import type { OpenQuestionRow } from '../../wire.ts';
import { messageOf } from '../api.ts';
import { useFocusAfter } from '../parts/focus-after.ts';
import { HiddenText } from '../parts/hidden-text.tsx';
import { answer, type Said } from './answer.ts';
import { Decline, type AnswerProps } from './decline.tsx';
import { FileChoice } from './file-choice.tsx';
import { FormAnswer } from './form-answer.tsx';
import { Problem } from '../parts/problem.tsx';

/** What a question can be answered with, by its kind. */
export function Answers({ question }: { readonly question: OpenQuestionRow }) {
  const isBusy = useSignal(false);
  const refused = useSignal<unknown>(undefined);
  const box = useRef<HTMLDivElement>(null);
  useFocusAfter(box, () => document.getElementById(`verdict-${question.id}`));
  const say = async (said: Said): Promise<void> => {
    // A second click on a slow connection.
    if (isBusy.value) return;
    isBusy.value = true;
    refused.value = undefined;
    try {
      await answer(question, said);
    } catch (cause) {
      refused.value = cause;
    } finally {
      isBusy.value = false;
    }
  };
  const Kind = kinds[question.kind];
  return (
    <div ref={box}>
      <Kind
        question={question}
        isBusy={isBusy.value}
        say={(said) => void say(said)}
        refused={refused.value}
      />
      <Problem text={refused.value === undefined ? '' : messageOf(refused.value)} />
    </div>
  );
}

const kinds = {
  confirm: Permission,
  form: FormAnswer,
  dialog: Buttons,
  url: Address,
  files: FileChoice,
  notification: Seen,
} as const;

/** Yes or no, or how far a permission goes. */
function Permission({ question: { choices }, isBusy, say }: AnswerProps) {
  const isPlain = choices.length === 0;
  return (
    <div class="row answers">
      {isPlain && (
        <button
          type="button"
          class="main"
          aria-disabled={isBusy}
          onClick={() => say({ decision: 'answered' })}
        >
          Yes
        </button>
      )}
      {choices.map((choice, at) => (
        <button
          type="button"
          class={at === 0 ? 'main' : ''}
          aria-disabled={isBusy}
          onClick={() => say({ decision: choice })}
        >
          {choiceLabels[choice]}
          {choice === 'always' && <span class="quiet"> needs a code</span>}
        </button>
      ))}
      <button type="button" class="no" aria-disabled={isBusy} onClick={() => say({ decision: 'no' })}>
        {isPlain ? 'No' : 'Deny'}
      </button>
    </div>
  );
}

/** The buttons of a dialog: the values of its one property. */
function Buttons({ question: { schema }, isBusy, say }: AnswerProps) {
  const [[name, property] = ['', {}]] = Object.entries(
    (schema?.['properties'] ?? {}) as { readonly [name: string]: { readonly enum?: readonly unknown[] } },
  );
  return (
    <div class="row answers wrap">
      {(property.enum ?? []).map((value) => (
        <button
          type="button"
          aria-disabled={isBusy}
          onClick={() => say({ decision: 'answered', content: { [name]: value } })}
        >
          <HiddenText text={String(value)} />
        </button>
      ))}
      <span class="grow" />
      <Decline isBusy={isBusy} say={say} />
    </div>
  );
}

/** An address that somebody else wants to be opened: shown whole, and never opened by itself. */
function Address({ question: { url = '' }, isBusy, say }: AnswerProps) {
  const isWeb = /^https?:\/\//.test(url);
  return (
    <>
      <p class="wrap">
        {isWeb ? (
          <a href={url} target="_blank" rel="noopener noreferrer">
            <HiddenText text={url} />
          </a>
        ) : (
          <HiddenText text={url} />
        )}
      </p>
      <div class="row answers">
        <button
          type="button"
          class="main"
          aria-disabled={isBusy}
          onClick={() => say({ decision: 'answered' })}
        >
          Go on
        </button>
        <Decline isBusy={isBusy} say={say} />
      </div>
    </>
  );
}

function Seen({ isBusy, say }: AnswerProps) {
  return (
    <div class="row answers">
      <button
        type="button"
        class="main"
        aria-disabled={isBusy}
        onClick={() => say({ decision: 'answered', shown: 'on the page' })}
      >
        Seen
      </button>
    </div>
  );
}
