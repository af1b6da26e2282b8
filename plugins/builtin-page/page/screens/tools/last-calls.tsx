import { calls, callsVersion } from '../../live/calls.ts';
import { questions } from '../../live/live.ts';
import { outcomeOf, waitingCalls } from '../../live/waiting.ts';
import { askerName } from '../../parts/asker.ts';
import { duration, shortTime } from '../../parts/time.ts';
import { callPath } from '../../router.ts';

const shown = 5;

/** The newest calls of a tool that the trace knows. */
export function LastCalls({ tool }: { readonly tool: string }) {
  // Read, so that it is drawn again when there are others.
  void callsVersion.value;
  const waiting = waitingCalls(calls, questions.value ?? []);
  const last = calls
    .filter((call) => call.tool === tool)
    .slice(-shown)
    .toReversed();
  return (
    <section class="sheet" aria-label="Last calls">
      <h3>Last calls</h3>
      {last.length === 0 ? (
        <p class="quiet">None that the trace knows.</p>
      ) : (
        <ul class="rows calls">
          {last.map(({ id, at, ms, caller, agent, outcome, args }) => (
            <li key={id} class="line">
              <a href={callPath(id)}>{shortTime(at)}</a>{' '}
              <span class={`state ${outcome === undefined ? 'warn' : outcome === 'ok' ? 'good' : 'bad'}`}>
                {outcomeOf({ id, ...(outcome !== undefined && { outcome }) }, waiting)}
              </span>{' '}
              <span class="quiet">
                {agent ?? askerName(caller)}
                {ms !== undefined && ` · ${duration(ms)}`}
              </span>{' '}
              <code>{args}</code>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
