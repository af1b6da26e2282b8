import type { RefObject } from 'preact';
import type { DiagnosticRow } from '../../../wire.ts';
import type { EditorHandle } from '../../editor/editor.tsx';
import { HiddenText } from '../../parts/hidden-text.tsx';

interface Props {
  readonly title: string;
  readonly rows: readonly DiagnosticRow[];
  /** The editor that the places lead to. */
  readonly editor: RefObject<EditorHandle | null>;
}

/** What is wrong with a text, each with a button that leads to its place. */
export function Problems({ title, rows, editor }: Props) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul class="rows problems">
        {rows.map(({ severity, message, hint, line, column }) => (
          <li>
            {line !== undefined && (
              <button
                type="button"
                class="small mono"
                aria-label={`${line}:${column ?? 1}, go to this place`}
                onClick={() => editor.current?.goTo(line, column ?? 1)}
              >
                {line}:{column ?? 1}
              </button>
            )}{' '}
            <span class={`state ${severity === 'error' ? 'bad' : 'warn'}`}>{severity}</span>{' '}
            <HiddenText text={message} />
            {hint !== undefined && (
              <p class="quiet">
                <HiddenText text={hint} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
