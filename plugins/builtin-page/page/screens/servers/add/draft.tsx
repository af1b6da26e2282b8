import { useEffect, useRef } from 'preact/hooks';
import { HiddenText } from '../../../parts/hidden-text.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { program } from '../../../program.ts';
import type { Drafting } from './use-draft.ts';

/** What would be written and run, and the button that does it. */
export function Draft({ drafting }: { readonly drafting: Drafting }) {
  const { draft, problem, isBusy } = drafting;
  const title = useRef<HTMLHeadingElement>(null);
  const { shown } = draft.value ?? {};
  useEffect(() => void (shown !== undefined && title.current?.focus()), [shown]);
  if (!draft.value) return <Problem text={problem.value} />;
  const { name, runs, cwd, values, secrets, gets } = draft.value;
  return (
    <section class="sheet ask" aria-labelledby="draft">
      <h3 id="draft" ref={title} tabIndex={-1}>
        Add <HiddenText text={name} />, as shown?
      </h3>
      <pre tabIndex={0} role="region" aria-label="What it would run or connect to">
        <HiddenText text={runs} />
      </pre>
      <dl class="facts">
        {cwd !== undefined && (
          <div>
            <dt>in the folder</dt>
            <dd>
              <HiddenText text={cwd} />
            </dd>
          </div>
        )}
        {values.map((one) => (
          <div>
            <dt class="mono">
              <HiddenText text={one.name} />
            </dt>
            <dd class="mono">
              <HiddenText text={one.value} />
            </dd>
          </div>
        ))}
      </dl>
      {secrets.length > 0 && (
        <p>
          Stored as {secrets.length === 1 ? 'a secret' : 'secrets'}, to which its entry refers:{' '}
          <span class="mono">
            <HiddenText text={secrets.join(', ')} />
          </span>
        </p>
      )}
      {gets.map((one) => (
        <p class={one.isSet ? '' : 'warn'}>
          It gets your{' '}
          <span class="mono">
            <HiddenText text={one.name} />
          </span>
          , which is {one.isSet ? 'set' : 'not set'}
          {!one.isSet && (
            <>
              : <code>{program.value} secret set NAME</code> sets it, and until then it can't start
            </>
          )}
          . {one.description !== undefined && <HiddenText text={one.description} />}
        </p>
      ))}
      <div class="row answers">
        <button type="button" class="main" aria-disabled={isBusy.value} onClick={() => void drafting.add()}>
          Add it<span class="quiet"> needs a code</span>
        </button>
        <button type="button" onClick={() => drafting.forget()}>
          Don't
        </button>
      </div>
      <Problem text={problem.value} />
    </section>
  );
}
