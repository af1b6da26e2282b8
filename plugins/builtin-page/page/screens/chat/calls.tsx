import { useSignal } from '@preact/signals';
import { parseJson, toJson } from 'pegboard/browser';
import type { ChatCall } from '../../../chat/wire.ts';
import { get, messageOf } from '../../api.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { duration } from '../../parts/time.ts';

/** Calls that are shown one by one; of more, the earlier ones are folded. */
const maxShown = 4;

/** What an answer's turn has called, in order. */
export function Calls({ calls }: { readonly calls: readonly ChatCall[] }) {
  if (calls.length === 0) return null;
  const folded = calls.length > maxShown ? calls.slice(0, calls.length - maxShown + 1) : [];
  const failed = folded.filter(({ ok }) => ok === false).length;
  return (
    <div class="calls">
      {folded.length > 0 && (
        <details class="call">
          <summary>
            {folded.length} earlier calls{failed > 0 && <span class="bad"> · {failed} failed</span>}
          </summary>
          {folded.map((call) => (
            <Call key={call.id} call={call} />
          ))}
        </details>
      )}
      {calls.slice(folded.length).map((call) => (
        <Call key={call.id} call={call} />
      ))}
    </div>
  );
}

function Call({ call }: { readonly call: ChatCall }) {
  const isOpen = useSignal(false);
  const { tool, args, progress, result, ms } = call;
  const [word, tone] = stateOf(call);
  return (
    <details class="call" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>
        <b class="mono">{tool}</b> <span class={`state ${tone}`}>{word}</span>{' '}
        {ms !== undefined && result !== undefined && <span class="quiet ms">{duration(ms)}</span>}
        {result === undefined && progress !== undefined && (
          <span class="quiet">
            <HiddenText text={progress} />
          </span>
        )}
      </summary>
      {isOpen.value && (
        <>
          {args !== '{}' && <LongText text={indented(args)} label={`Arguments of ${tool}`} />}
          {result === undefined ? <p class="quiet">No result yet.</p> : <CallResult call={call} />}
        </>
      )}
    </details>
  );
}

function stateOf({ ok, result, isInterrupted }: ChatCall): readonly [string, string] {
  if (isInterrupted) return ['interrupted', 'warn'];
  if (result === undefined) return ['running', 'quiet'];
  return ok ? ['done', 'good'] : ['failed', 'bad'];
}

function CallResult({ call: { id, tool, result = '', isCut } }: { readonly call: ChatCall }) {
  const whole = useSignal<string | undefined>(undefined);
  const problem = useSignal('');
  const showAll = async (): Promise<void> => {
    try {
      const path = id.split('/').map(encodeURIComponent).join('/');
      whole.value = (await get<{ readonly text: string }>(`chat-result/${path}`)).text;
    } catch (cause) {
      problem.value = messageOf(cause);
    }
  };
  return (
    <>
      <LongText text={whole.value ?? result} label={`Result of ${tool}`} />
      {isCut && whole.value === undefined && (
        <p class="row">
          <span class="quiet">Only its beginning.</span>
          <button type="button" class="small" onClick={() => void showAll()}>
            Show all
          </button>
          {problem.value !== '' && (
            <span class="bad" role="alert">
              {problem.value}
            </span>
          )}
        </p>
      )}
    </>
  );
}

/** Cut JSON stays as it is. */
function indented(json: string): string {
  try {
    return toJson(parseJson(json), 2);
  } catch {
    return json;
  }
}
