import { connected } from '../live/live.ts';
import { program } from '../program.ts';

/** What is known stays on the screen while the host doesn't answer, with a word that it may be old. */
export function Offline({ knowsNothing = false }: { readonly knowsNothing?: boolean }) {
  if (connected.value !== false) return null;
  return (
    <p class="offline">
      Not connected{knowsNothing ? '' : ': this is the last known state'}. It goes on by itself when the host
      answers; <code>{program.value} dashboard</code> starts one.
    </p>
  );
}
