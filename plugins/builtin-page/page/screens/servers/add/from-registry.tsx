import { signal } from '@preact/signals';
import type { FoundDetails, FoundRow } from '../../../../servers/wire.ts';
import { get } from '../../../api.ts';
import { HiddenText } from '../../../parts/hidden-text.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { useActs } from '../../../parts/use-acts.ts';
import { FoundServer } from './found-server.tsx';

interface Answer {
  readonly registry: string;
  readonly found: readonly FoundRow[];
  readonly left: number;
}

/** They outlive a look at another screen. */
const query = signal('');
const answer = signal<Answer | undefined>(undefined);
const opened = signal<FoundDetails | undefined>(undefined);

/** Servers of the MCP registry. */
export function FromRegistry() {
  const { isBusy, problem, run } = useActs();
  const search = (event: Event): void => {
    event.preventDefault();
    void run(async () => {
      opened.value = undefined;
      answer.value = await get<Answer>(`registry-search?q=${encodeURIComponent(query.value)}`);
    });
  };
  const open = ({ entry, version }: FoundRow): void =>
    void run(async () => {
      const at = new URLSearchParams({ entry, version });
      opened.value = await get<FoundDetails>(`registry-entry?${at}`);
    });
  if (opened.value)
    return (
      <>
        <p>
          <button type="button" class="small" onClick={() => (opened.value = undefined)}>
            Back to what was found
          </button>
        </p>
        <FoundServer key={opened.value} details={opened.value} />
      </>
    );
  return (
    <>
      <form class="row filters" role="search" onSubmit={search}>
        <input
          type="search"
          aria-label="Words in the names of servers"
          placeholder="Words in their names"
          autocomplete="off"
          spellcheck={false}
          value={query.value}
          onInput={(event) => (query.value = event.currentTarget.value)}
        />
        <button type="submit" class="main" disabled={isBusy.value || query.value.trim() === ''}>
          Search
        </button>
        <span class="quiet" role="status">
          {isBusy.value ? 'Asking the registry…' : answer.value ? countOf(answer.value) : ''}
        </span>
      </form>
      <Problem text={problem.value} />
      {answer.value && answer.value.found.length > 0 && (
        <ul class="rows sheet">
          {answer.value.found.map((row) => (
            <li key={row.entry}>
              <div class="row">
                <b class="mono">
                  <HiddenText text={row.entry} />
                </b>
                <span class="quiet">{row.version}</span>
                {row.status !== 'active' && <span class="tag warn">{row.status}</span>}
                <span class="grow" />
                <button
                  type="button"
                  class="small"
                  aria-label={`Open ${row.entry}`}
                  onClick={() => open(row)}
                >
                  Open
                </button>
              </div>
              <p class="quiet">
                <HiddenText text={row.description} />
              </p>
              <p class="quiet">
                {row.kinds.length === 0
                  ? 'No way to run it that Pegboard supports'
                  : `by ${row.kinds.join(', ')}`}
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function countOf({ registry, found, left }: Answer): string {
  if (found.length === 0)
    return `No server at ${registry} has that in its name. A registry searches names only.`;
  return left === 0 ? `${found.length} at ${registry}` : `${found.length} at ${registry}, and ${left} more`;
}
