import { useSignal } from '@preact/signals';
import type { ServerDetails } from '../../../servers/wire.ts';
import { messageOf, post } from '../../api.ts';
import { Problem } from '../../parts/problem.tsx';
import { withProof } from '../../proof.ts';
import { go, path } from '../../router.ts';
import { Login } from './login.tsx';

interface Props {
  readonly details: ServerDetails;
  readonly onChange: () => void;
}

/** What can be done with the server. */
export function Actions({ details: { name, state, mayLogIn, origin }, onChange }: Props) {
  const busy = useSignal('');
  const problem = useSignal('');
  const isRemoving = useSignal(false);
  const act = async (what: string, run: () => Promise<unknown>): Promise<void> => {
    if (busy.value !== '') return;
    busy.value = what;
    problem.value = '';
    try {
      await run();
    } catch (cause) {
      problem.value = messageOf(cause);
    } finally {
      busy.value = '';
      // It may be gone by now.
      if (path.value[1] === name) onChange();
    }
  };
  const send = (act: string): Promise<unknown> => post(`${act}/${encodeURIComponent(name)}`, {});
  const isOpen = state === 'connected' || state === 'held back';
  return (
    <>
      <div class="row answers">
        {state === 'off' ? (
          <Act
            busy={busy.value}
            act={act}
            label="Turn on"
            doing="Turning on…"
            isMain
            needsCode
            run={() => withProof(() => send('server-on'))}
          />
        ) : (
          <>
            <Act
              busy={busy.value}
              act={act}
              label={isOpen ? 'Connect again' : 'Connect'}
              doing="Connecting…"
              isMain={!isOpen && state !== 'needs a login'}
              run={() => send('server-connect')}
            />
            <Act
              busy={busy.value}
              act={act}
              label="Turn off"
              doing="Turning off…"
              run={() => send('server-off')}
            />
          </>
        )}
        <button
          type="button"
          class="no"
          aria-expanded={isRemoving.value}
          onClick={() => (isRemoving.value = !isRemoving.value)}
        >
          Remove…
        </button>
      </div>
      {isRemoving.value && (
        <div class="sheet ask">
          <p>
            Its entry is taken out of <code>{origin}</code>: the server ends, and its tools are gone. What you
            have approved of it is kept for the case that you add it again.
          </p>
          <div class="row answers">
            <Act
              busy={busy.value}
              act={act}
              label="Remove it"
              doing="Removing…"
              needsCode
              run={async () => {
                if (await withProof(() => send('server-remove'))) go('/servers');
              }}
            />
            <button type="button" onClick={() => (isRemoving.value = false)}>
              Keep it
            </button>
          </div>
        </div>
      )}
      <Problem text={problem.value} />
      {mayLogIn && state !== 'off' && (
        <Login name={name} isNeeded={state === 'needs a login'} onDone={onChange} />
      )}
    </>
  );
}

interface ActProps {
  readonly label: string;
  readonly doing: string;
  readonly run: () => Promise<unknown>;
  /** What is being done. */
  readonly busy: string;
  readonly act: (what: string, run: () => Promise<unknown>) => Promise<void>;
  readonly isMain?: boolean;
  readonly needsCode?: boolean;
}

function Act({ label, doing, run, busy, act, isMain = false, needsCode = false }: ActProps) {
  const isDoing = busy === doing;
  return (
    <button
      type="button"
      class={isMain ? 'main' : ''}
      aria-disabled={busy !== ''}
      onClick={() => void act(doing, run)}
    >
      {isDoing ? doing : label}
      {needsCode && !isDoing && <span class="quiet"> needs a code</span>}
    </button>
  );
}
