import { toJson, type ToolFailure } from 'pegboard/browser';
import { Words } from '../parts/words.tsx';
import { LongText } from '../parts/long-text.tsx';

/** Where in a call it failed, in words. */
const stages: { readonly [stage in ToolFailure['stage']]: string } = {
  resolve: 'while the tool was looked up',
  validate: 'while the arguments were checked',
  prepare: 'while it was prepared',
  authorize: 'because it is not allowed',
  confirm: 'while it was confirmed',
  execute: 'while it ran',
  finish: 'while its result was read',
};

/** What went wrong, where, and everything that helps. */
export function Failure({ error }: { readonly error: ToolFailure }) {
  // The schema is what the form was made from.
  const {
    schema: _schema,
    problems: _problems,
    ...more
  } = (error.data ?? {}) as { readonly [name: string]: unknown };
  return (
    <div class="failure">
      <p class="said">
        <Words text={error.message} />
      </p>
      <p class="quiet">
        <code>{error.code}</code> {stages[error.stage] ?? error.stage}
      </p>
      {Object.keys(more).length > 0 && (
        <details>
          <summary>More about it</summary>
          <LongText text={toJson(more, 2)} label="More about the failure" />
        </details>
      )}
    </div>
  );
}
