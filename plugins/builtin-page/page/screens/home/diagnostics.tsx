import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { DiagnosticRow, HomeStatus } from '../../../wire.ts';
import { Words } from '../../parts/words.tsx';
import { get, messageOf } from '../../api.ts';
import { Problem } from '../../parts/problem.tsx';

interface Page {
  readonly total: number;
  readonly rows: readonly DiagnosticRow[];
}

/** The rest is shown on request: below is more of the home. */
const shownFirst = 5;

/** What to mend in manifests and configuration, errors first, loaded page by page. */
export function Diagnostics({ status: { diagnostics } }: { readonly status: HomeStatus }) {
  const { errors, warnings, first } = diagnostics;
  const more = useSignal<readonly DiagnosticRow[]>([]);
  const problem = useSignal('');
  const isLoading = useSignal(false);
  const isOpen = useSignal(false);
  const total = errors + warnings;
  // What was loaded for an earlier state may not fit this one.
  useEffect(() => void (more.value = []), [total, first[0]?.message]);
  if (total === 0) return null;
  const loaded = [...first, ...more.value];
  const shown = isOpen.value ? loaded : loaded.slice(0, shownFirst);
  const showMore = async (): Promise<void> => {
    // A few were loaded with the state of the home.
    if (!isOpen.value) return void (isOpen.value = true);
    isLoading.value = true;
    try {
      const page = await get<Page>(`diagnostics?from=${loaded.length}`);
      more.value = [...more.value, ...page.rows];
      problem.value = '';
    } catch (cause) {
      problem.value = messageOf(cause);
    } finally {
      isLoading.value = false;
    }
  };
  return (
    <section class="sheet" aria-labelledby="to-mend">
      <h2 id="to-mend">{titleOf(errors, warnings)}</h2>
      <ul class="rows diagnostics">
        {shown.map((one) => (
          <Diagnostic one={one} />
        ))}
      </ul>
      {shown.length < total && (
        <p class="row">
          <button type="button" class="small" disabled={isLoading.value} onClick={() => void showMore()}>
            Show more
          </button>
          <span class="quiet">
            {shown.length.toLocaleString()} of {total.toLocaleString()}
          </span>
        </p>
      )}
      <Problem text={problem.value} />
    </section>
  );
}

function titleOf(errors: number, warnings: number): string {
  const mend = errors === 0 ? '' : errors === 1 ? '1 error' : `${errors.toLocaleString()} errors`;
  const look = warnings === 0 ? '' : warnings === 1 ? '1 warning' : `${warnings.toLocaleString()} warnings`;
  return [mend, look].filter((part) => part !== '').join(' and ');
}

function Diagnostic({
  one: { severity, message, path, line, column, hint },
}: {
  readonly one: DiagnosticRow;
}) {
  const place = [path, line, column].filter((part) => part !== undefined).join(':');
  return (
    <li>
      <span class={`state ${severity === 'error' ? 'bad' : 'warn'}`}>{severity}</span>{' '}
      <Words text={message} />
      {hint !== undefined && (
        <p>
          <Words text={hint} />
        </p>
      )}
      {place !== '' && <p class="quiet mono">{place}</p>}
    </li>
  );
}
