import { useEffect } from 'preact/hooks';
import type { ClientRow } from '../../../../servers/wire.ts';
import { reading } from '../../../live/reading.ts';
import { Broken } from '../../../parts/broken.tsx';
import { HiddenText } from '../../../parts/hidden-text.tsx';
import { Draft } from './draft.tsx';
import { useDraft } from './use-draft.ts';

const importable = reading<{ readonly servers: readonly ClientRow[] }>('importable');

/** Servers that other clients on this machine have configured. */
export function FromClients() {
  const drafting = useDraft();
  useEffect(() => importable.follow(), []);
  const servers = importable.value.value?.servers;
  return (
    <>
      {importable.problem.value !== undefined && (
        <Broken
          what="The settings of other clients could not be read."
          why={importable.problem.value}
          again={() => void importable.read()}
        />
      )}
      {!servers && importable.problem.value === undefined && <p class="quiet">Loading…</p>}
      {servers?.length === 0 && (
        <p class="quiet">No other client on this machine has MCP servers configured.</p>
      )}
      <Draft drafting={drafting} />
      {servers && servers.length > 0 && (
        <ul class="rows sheet">
          {servers.map((row) => (
            <li key={`${row.client} ${row.path} ${row.name}`}>
              <div class="row">
                <b>
                  <HiddenText text={row.name} />
                </b>
                <span class="quiet">of {row.client}</span>
                <span class="grow" />
                {row.skipped === undefined ? (
                  <button
                    type="button"
                    class="small"
                    aria-label={`Show what ${row.name} of ${row.client} would be`}
                    onClick={() =>
                      void drafting.look({
                        from: 'client',
                        name: row.name,
                        client: row.client,
                        path: row.path,
                      })
                    }
                  >
                    Show what it would be
                  </button>
                ) : (
                  <span class="quiet">{row.skipped}</span>
                )}
              </div>
              <p class="mono quiet">
                <HiddenText text={row.runs} />
              </p>
              <p class="mono quiet origin">{row.path}</p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
