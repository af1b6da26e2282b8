import type { KnownCall } from '../../live/call-tree.ts';
import { calls } from '../../live/calls.ts';
import { questions } from '../../live/live.ts';
import { outcomeOf, waitingCalls } from '../../live/waiting.ts';
import { askerName } from '../../parts/asker.ts';
import { clockTime, duration } from '../../parts/time.ts';
import type { RowProps } from '../../parts/virtual-list.tsx';
import { callPath } from '../../router.ts';
import { endOf, placeIn, type Span } from './span.ts';

/** Levels that are shown by indentation. */
const maxDepth = 4;

interface Props {
  readonly call: KnownCall;
  readonly span: Span;
  readonly now: number;
  readonly props: RowProps;
}

/** A call in one line, with a bar for when it ran. */
export function Line({ call, span, now, props }: Props) {
  const { id, at, tool, depth, agent, caller, outcome, ms } = call;
  const tone = outcome === undefined ? 'warn' : outcome === 'ok' ? 'good' : 'bad';
  return (
    <a class="line" href={callPath(id)} {...props}>
      <span class="quiet mono time">{clockTime(at)}</span>
      <span class="mono cut" style={{ paddingLeft: `${Math.min(depth, maxDepth)}rem` }}>
        {tool}
      </span>
      <span class="quiet cut who">{agent ?? askerName(caller)}</span>
      <Bar call={call} span={span} now={now} />
      <span class={`cut outcome ${tone}`}>
        {outcomeOf(call, waitingCalls(calls, questions.value ?? [])).replace(/^PEG_/, '')}
      </span>
      <span class="quiet ms">{ms === undefined ? '' : duration(ms)}</span>
    </a>
  );
}

/** A person's wait comes first, since a call runs after it was allowed. */
function Bar({ call, span, now }: Omit<Props, 'props'>) {
  const { at, waitedMs = 0, outcome } = call;
  const began = placeIn(span, at);
  const allowed = placeIn(span, at + waitedMs);
  const ended = placeIn(span, endOf(call, now));
  const tone = outcome === undefined ? 'open' : outcome === 'ok' ? '' : 'failed';
  return (
    <span class="bar">
      {waitedMs > 0 && <i class="waited" style={{ left: `${began}%`, width: `${allowed - began}%` }} />}
      <i
        class={tone}
        style={{ left: `${Math.min(allowed, 99)}%`, width: `${Math.max(0, ended - allowed)}%` }}
      />
    </span>
  );
}
