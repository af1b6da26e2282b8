import { useSignal } from '@preact/signals';
import type { ServerDetails } from '../../../servers/wire.ts';
import { messageOf, post } from '../../api.ts';
import { Problem } from '../../parts/problem.tsx';

interface Props {
  readonly details: ServerDetails;
  readonly onChange: () => void;
}

/** What can be done with the server. */
export function Actions({ details: { name, state }, onChange }: Props) {
  const busy = useSignal('');
  const problem = useSignal('');
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
      onChange();
    }
  };
  const at = encodeURIComponent(name);
  const isOpen = state === 'connected' || state === 'held back';
  if (state === 'off') return null;
  return (
    <>
      <div class="row answers">
        <button
          type="button"
          class={isOpen ? '' : 'main'}
          aria-disabled={busy.value !== ''}
          onClick={() => void act('Connecting…', () => post(`server-connect/${at}`, {}))}
        >
          {busy.value || (isOpen ? 'Connect again' : 'Connect')}
        </button>
      </div>
      <Problem text={problem.value} />
    </>
  );
}
