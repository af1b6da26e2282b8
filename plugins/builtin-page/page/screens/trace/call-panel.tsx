import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { CallDetails } from '../../../wire.ts';
import { get, messageOf } from '../../api.ts';
import type { KnownCall } from '../../live/call-tree.ts';
import { callOf, calls, callsVersion } from '../../live/calls.ts';
import { questions } from '../../live/live.ts';
import { waitingCalls } from '../../live/waiting.ts';
import { Close } from '../../parts/back.tsx';
import { askerName } from '../../parts/asker.ts';
import { Broken } from '../../parts/broken.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { duration, shortTime } from '../../parts/time.ts';
import { callPath, go, toolPath } from '../../router.ts';
import { Result } from '../../result/result.tsx';
import { draftOf, objectIn, replaceArgs } from '../tools/draft.ts';

/** Everything that is known of a call. */
export function CallPanel({ id }: { readonly id: string }) {
  void callsVersion.value;
  const call = callOf(id);
  return (
    <article aria-label="Call">
      <Close title="Trace" to="/trace" />
      {call ? (
        <Call call={call} />
      ) : (
        <>
          <h2>Call</h2>
          <p class="quiet">
            This call is not in the list any more. The audit in the home’s data folder keeps its record.
          </p>
        </>
      )}
    </article>
  );
}

function Call({ call }: { readonly call: KnownCall }) {
  const { id, tool, elsewhere = false, args } = call;
  const details = useSignal<CallDetails | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const isOver = call.outcome !== undefined;
  const read = async (): Promise<void> => {
    try {
      details.value = await get<CallDetails>(`call/${encodeURIComponent(id)}`);
      problem.value = undefined;
    } catch (cause) {
      problem.value = messageOf(cause);
    }
  };
  useEffect(() => {
    if (!elsewhere) void read();
  }, [isOver, elsewhere]);
  const result = details.value?.result;
  const shownArgs = details.value?.args ?? args;
  const isForgotten = isOver && details.value !== undefined && !result;
  return (
    <>
      <header class="lead">
        <h2 class="mono">
          <a href={toolPath(tool)}>{tool}</a>
        </h2>
        <Facts call={call} />
      </header>
      {elsewhere && (
        <p class="quiet">
          It was made in another process: only the record is known, not its arguments and its result.
        </p>
      )}
      {problem.value !== undefined && (
        <Broken what="Its details could not be read." why={problem.value} again={() => void read()} />
      )}
      {shownArgs !== undefined && (
        <section class="sheet" aria-label="Arguments">
          <h3>Arguments</h3>
          <LongText text={shownArgs} label="Arguments of the call" />
          <CallAgain tool={tool} args={details.value?.args} />
        </section>
      )}
      {isForgotten && !elsewhere && <p class="quiet">Its result is not kept any more.</p>}
      {isForgotten && call.result !== undefined && (
        <LongText text={call.result} label="Beginning of the result" />
      )}
      {result && <Result result={result} />}
    </>
  );
}

/** Leads to the form of the tool, filled in: what is run there is a new call, with its own question. */
function CallAgain({ tool, args }: { readonly tool: string; readonly args: string | undefined }) {
  const given = args === undefined ? undefined : objectIn(args);
  if (!given) return null;
  const fillIn = (): void => {
    replaceArgs(draftOf(tool), given);
    go(toolPath(tool));
  };
  return (
    <div class="row answers">
      <button type="button" onClick={fillIn}>
        Call it again…
      </button>
    </div>
  );
}

/** Otherwise it is a conversation. */
const isCall = (id: string): boolean => callOf(id) !== undefined;

function Facts({ call }: { readonly call: KnownCall }) {
  const { id, at, ms, waitedMs, caller, agent, within, outcome, by } = call;
  const isWaiting = waitingCalls(calls, questions.value ?? []).has(id);
  const facts: readonly (readonly [name: string, value: string | undefined])[] = [
    ['Outcome', outcome ?? (isWaiting ? 'It waits for a person.' : 'It runs.')],
    ['Began', shortTime(at)],
    ['Took', ms === undefined ? undefined : duration(ms)],
    ['Waited for a person', waitedMs === undefined ? undefined : duration(waitedMs)],
    ['Asked by', agent === undefined ? askerName(caller) : `${agent}, by ${askerName(caller)}`],
    ['Decided by', by],
    ['Within', within !== undefined && !isCall(within) ? within : undefined],
    ['Id', id],
  ];
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
      {within !== undefined && isCall(within) && (
        <div>
          <dt>Within</dt>
          <dd>
            <a href={callPath(within)}>{callOf(within)!.tool}</a>
          </dd>
        </div>
      )}
    </dl>
  );
}
