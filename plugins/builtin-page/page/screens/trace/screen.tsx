import { signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { KnownCall } from '../../live/call-tree.ts';
import { calls, callsSeen, callsVersion, dropped, skippedCalls } from '../../live/calls.ts';
import { Offline } from '../../parts/offline.tsx';
import { moveByKey, VirtualList } from '../../parts/virtual-list.tsx';
import { callPath, go, path } from '../../router.ts';
import { CallPanel } from './call-panel.tsx';
import { Line } from './line.tsx';
import { spanOf } from './span.ts';

/** Fingers need higher rows. */
const isForFingers = matchMedia('(max-width: 720px), (pointer: coarse)');
const rowHeight = signal(0);
const measure = (): void => void (rowHeight.value = isForFingers.matches ? 44 : 30);
measure();
isForFingers.addEventListener('change', measure);

/** The calls as they were when the list was stopped. */
interface Pause {
  readonly rows: readonly KnownCall[];
  readonly seen: number;
}

/** What happens now? */
export function TraceScreen() {
  const words = useSignal('');
  const isFailedOnly = useSignal(false);
  const pause = useSignal<Pause | undefined>(undefined);
  const cursor = useSignal(-1);
  const seen = useSignal<readonly [first: number, end: number]>([0, 0]);
  const version = callsVersion.value;
  const chosen = path.value[1] ?? '';
  const all = pause.value?.rows ?? calls;
  const shown = useMemo(
    () => filtered(all, words.value, isFailedOnly.value),
    [pause.value ?? version, words.value, isFailedOnly.value],
  );
  const inView = shown.slice(...seen.value);
  const now = useNow(inView.some(({ outcome }) => outcome === undefined));
  const span = spanOf(inView, now);
  const moves = {
    count: shown.length,
    cursor: Math.min(cursor.value, shown.length - 1),
    selected: shown.findIndex(({ id }) => id === chosen),
    onCursor: (index: number) => (cursor.value = index),
    onOpen: (index: number) => go(callPath(shown[index]!.id)),
  };
  useEffect(() => void (cursor.value = -1), [dropped]);
  return (
    <div class={chosen === '' ? 'split trace' : 'split trace chosen'}>
      <div class="side">
        <div class="row">
          <h1>Trace</h1>
          <span class="quiet count">{countOf(shown.length, all.length)}</span>
          <span class="warn">
            {skippedCalls.value > 0 &&
              `${skippedCalls.value.toLocaleString()} were left out: they came faster than they could be sent.`}
          </span>
        </div>
        <Offline />
        <div class="row filters">
          <input
            type="search"
            aria-label="Filter the calls"
            placeholder="Tool, caller, arguments  ( / )"
            spellcheck={false}
            value={words.value}
            onInput={(event) => (words.value = event.currentTarget.value)}
            onKeyDown={(event) => moveByKey(event, moves)}
          />
          <button
            type="button"
            aria-pressed={isFailedOnly.value}
            onClick={() => (isFailedOnly.value = !isFailedOnly.value)}
          >
            Failed only
          </button>
          <PauseButton pause={pause.value} onPause={(next) => (pause.value = next)} />
        </div>
        {shown.length === 0 ? (
          <p class="quiet empty">
            {all.length === 0
              ? 'No call yet. What an agent, a client or a schedule of this home runs shows here as it happens.'
              : 'No call fits.'}
          </p>
        ) : (
          <VirtualList
            {...moves}
            id="calls"
            label="Calls"
            rowHeight={rowHeight.value}
            sticksToEnd={!pause.value}
            removed={shown === calls ? dropped : undefined}
            onSeen={(first, end) => (seen.value = [first, end])}
            row={(index, props) => (
              <Line key={shown[index]!.id} call={shown[index]!} span={span} now={now} props={props} />
            )}
          />
        )}
      </div>
      {chosen !== '' && (
        <div key={chosen} class="detail scroll">
          <CallPanel id={chosen} />
        </div>
      )}
    </div>
  );
}

function PauseButton({
  pause,
  onPause,
}: {
  readonly pause: Pause | undefined;
  readonly onPause: (pause: Pause | undefined) => void;
}) {
  const missed = pause ? callsSeen - pause.seen : 0;
  return (
    <>
      <button
        type="button"
        class="pause"
        aria-pressed={pause !== undefined}
        onClick={() => onPause(pause ? undefined : { rows: [...calls], seen: callsSeen })}
      >
        {pause ? 'Go on' : 'Pause'}
      </button>
      <span class="quiet count">{pause ? `${missed.toLocaleString()} more since` : ''}</span>
    </>
  );
}

const countOf = (shown: number, all: number): string => {
  const calls = all === 1 ? '1 call' : `${all.toLocaleString()} calls`;
  return shown === all ? calls : `${shown.toLocaleString()} of ${calls}`;
};

function filtered(all: readonly KnownCall[], words: string, isFailedOnly: boolean): readonly KnownCall[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0 && !isFailedOnly) return all;
  return all.filter((call) => {
    if (isFailedOnly && (call.outcome === undefined || call.outcome === 'ok')) return false;
    const { tool, caller, agent = '', within = '', outcome = '', args = '' } = call;
    const text = `${tool} ${caller} ${agent} ${within} ${outcome} ${args}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** Milliseconds between two looks at how long running calls have taken. */
const tickMs = 500;

function useNow(isNeeded: boolean): number {
  const tick = useSignal(0);
  useEffect(() => {
    if (!isNeeded) return undefined;
    const timer = setInterval(() => tick.value++, tickMs);
    return () => clearInterval(timer);
  }, [isNeeded]);
  void tick.value;
  return Date.now();
}
