import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { LoginRow } from '../../../servers/wire.ts';
import { get, messageOf, post } from '../../api.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { Problem } from '../../parts/problem.tsx';

/** Milliseconds between two looks at a login that waits. */
const lookMs = 1_000;

interface Props {
  readonly name: string;
  /** The server refuses to work without one. */
  readonly isNeeded: boolean;
  readonly onDone: () => void;
}

/** Logs in to the server with OAuth: shows the whole address before the person opens it. */
export function Login({ name, isNeeded, onDone }: Props) {
  const login = useSignal<LoginRow | undefined>(undefined);
  const isBusy = useSignal(false);
  const problem = useSignal('');
  const at = encodeURIComponent(name);
  const waits = login.value?.state === 'waiting';
  const run = async (act: () => Promise<LoginRow | undefined>): Promise<void> => {
    problem.value = '';
    try {
      const found = await act();
      if (found) login.value = found;
      if (found?.state === 'done' && waits) onDone();
    } catch (cause) {
      problem.value = messageOf(cause);
    }
  };
  useEffect(() => {
    if (!waits) return undefined;
    const timer = setInterval(() => void run(() => get<LoginRow>(`server-login/${at}`)), lookMs);
    return () => clearInterval(timer);
  }, [waits]);
  // One may wait since before this page was loaded.
  useEffect(() => void run(() => get<LoginRow>(`server-login/${at}`)), []);
  const begin = async (): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    await run(() => post<LoginRow>(`server-login/${at}`, {}));
    isBusy.value = false;
  };
  return (
    <section class={isNeeded || waits ? 'sheet ask' : 'sheet'} aria-label="Login">
      {waits ? (
        <Waiting
          row={login.value!}
          onAddress={(address) =>
            run(() => post(`server-login-address/${at}`, { address }).then(() => undefined))
          }
          onCancel={() => void run(() => post(`server-login-cancel/${at}`, {}).then(() => undefined))}
        />
      ) : (
        <div class="row">
          <button
            type="button"
            class={isNeeded ? 'main' : 'small'}
            aria-disabled={isBusy.value}
            onClick={() => void begin()}
          >
            {isBusy.value ? 'Asking where…' : 'Log in'}
          </button>
          <span class="quiet" role="status">
            <Outcome row={login.value} />
          </span>
        </div>
      )}
      <Problem text={problem.value} />
    </section>
  );
}

function Outcome({ row }: { readonly row: LoginRow | undefined }) {
  if (!row || row.state === 'none') return <>You are shown the address before you open it.</>;
  if (row.state === 'failed')
    return (
      <span class="bad">
        <HiddenText text={row.problem ?? ''} />
      </span>
    );
  const { missing = [] } = row;
  return missing.length === 0 ? (
    <>You are logged in.</>
  ) : (
    <span class="warn">
      You are logged in. Not granted: <HiddenText text={missing.join(', ')} />
    </span>
  );
}

interface WaitingProps {
  readonly row: LoginRow;
  readonly onAddress: (address: string) => Promise<void>;
  readonly onCancel: () => void;
}

function Waiting({ row: { address = '', problem }, onAddress, onCancel }: WaitingProps) {
  const given = useSignal('');
  const id = useId();
  const target = URL.parse(address);
  const mayOpen = target?.protocol === 'https:' || target?.protocol === 'http:';
  return (
    <>
      <h3>Sign in at this address</h3>
      <pre tabIndex={0} role="region" aria-label="Address of the login">
        <HiddenText text={address} />
      </pre>
      <div class="row answers">
        {mayOpen && (
          <a class="button" href={target.href} target="_blank" rel="noopener noreferrer">
            Open {target.host}
          </a>
        )}
        <button type="button" class="small" onClick={onCancel}>
          Give up
        </button>
        <span class="quiet" role="status">
          Waiting until you have signed in.
        </span>
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void onAddress(given.value).then(() => (given.value = ''));
        }}
      >
        <div class="field">
          <label for={id}>
            If the browser ends at a page that it can't open, paste the address of that page
          </label>
          <input
            id={id}
            type="text"
            autocomplete="off"
            spellcheck={false}
            value={given.value}
            aria-invalid={problem !== undefined}
            aria-describedby={`${id}-problem`}
            onInput={(event) => (given.value = event.currentTarget.value)}
          />
          <p class="wrong" id={`${id}-problem`} role="alert">
            {problem !== undefined && <HiddenText text={problem} />}
          </p>
        </div>
        <button class="small" type="submit" disabled={given.value.trim() === ''}>
          Use this address
        </button>
      </form>
    </>
  );
}
