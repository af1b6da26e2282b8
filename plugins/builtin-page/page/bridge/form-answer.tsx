import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError } from '../api.ts';
import { Fields } from '../form/fields.tsx';
import { problemsAtFields } from '../form/problems.ts';
import { resolve } from '../form/schema.ts';
import { Decline, type AnswerProps } from './decline.tsx';

/** The fields of a form. What is wrong with them stands at the field, as the host says it. */
export function FormAnswer({ question, isBusy, say, refused }: AnswerProps) {
  const { id, schema = {} } = question;
  const content = useSignal<object>({});
  const form = useRef<HTMLFormElement>(null);
  const problems = problemsAtFields(refused instanceof ApiError ? refused.problems : []);
  useEffect(() => {
    if (problems.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [refused]);
  return (
    <form
      ref={form}
      noValidate
      aria-labelledby={`question-${id}`}
      onSubmit={(event) => {
        event.preventDefault();
        say({ decision: 'answered', content: content.value });
      }}
    >
      <Fields
        schema={resolve(schema, schema)}
        root={schema}
        value={content.value}
        at=""
        depth={0}
        problems={problems}
        onChange={(next) => (content.value = next)}
      />
      <div class="row answers">
        <button type="submit" class="main" aria-disabled={isBusy}>
          Send
        </button>
        <Decline isBusy={isBusy} say={say} />
      </div>
    </form>
  );
}
