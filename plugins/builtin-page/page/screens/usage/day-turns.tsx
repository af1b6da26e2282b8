import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { TurnCalls, TurnRow } from '../../../usage/wire.ts';
import { get, messageOf } from '../../api.ts';
import { reading } from '../../live/reading.ts';
import { Broken } from '../../parts/broken.tsx';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { Problem } from '../../parts/problem.tsx';
import { duration, shortTime } from '../../parts/time.ts';
import { toolPath } from '../../router.ts';
import { money, tokens } from './amounts.ts';
import { dayName } from './day-bars.tsx';

/** The turns of a day, the most expensive first. */
export function DayTurns({ day }: { readonly day: string }) {
  const turns = useMemo(
    () => reading<{ readonly turns: readonly TurnRow[] }>(`usage-turns/${encodeURIComponent(day)}`),
    [],
  );
  useEffect(() => turns.follow(), []);
  const found = turns.value.value?.turns;
  return (
    <section class="sheet" aria-labelledby="turns">
      <h2 id="turns">Turns of {dayName(day)}</h2>
      {turns.problem.value !== undefined && (
        <Broken what="They could not be read." why={turns.problem.value} again={() => void turns.read()} />
      )}
      {!found && turns.problem.value === undefined && <p class="quiet">Loading…</p>}
      {found?.length === 0 && <p class="quiet">No model was used on this day.</p>}
      <ul class="rows">
        {found?.map((turn) => (
          <li key={`${turn.turn} ${turn.agent} ${turn.source}`}>
            <Turn turn={turn} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Turn({ turn }: { readonly turn: TurnRow }) {
  const { asked, agent, source, at, chat, input, output, calls } = turn;
  const found = useSignal<TurnCalls | undefined>(undefined);
  const problem = useSignal('');
  const open = (): void => {
    if (found.value) return void (found.value = undefined);
    problem.value = '';
    get<TurnCalls>(`usage-calls/${turn.turn}`)
      .then((read) => (found.value = read))
      .catch((cause: unknown) => (problem.value = messageOf(cause)));
  };
  return (
    <>
      <p>
        <span class="count">{money(turn)}</span> <HiddenText text={asked || 'Outside of a conversation'} />
      </p>
      <div class="row quiet">
        <span class="count">{shortTime(Date.parse(at))}</span>
        <span>
          <HiddenText text={`${agent}, ${source}`} />
        </span>
        <span class="count">
          {tokens(input)} in, {tokens(output)} out
        </span>
        {chat !== undefined && <a href={`/chat/${encodeURIComponent(chat)}`}>Chat</a>}
        {turn.turn !== undefined && (
          <button type="button" class="small" aria-expanded={found.value !== undefined} onClick={open}>
            {calls} {calls === 1 ? 'call' : 'calls'} of models
          </button>
        )}
      </div>
      <Problem text={problem.value} />
      {found.value && <Calls calls={found.value} />}
    </>
  );
}

function Calls({ calls: { models, tools } }: { readonly calls: TurnCalls }) {
  return (
    <ul class="rows note">
      {models.map(({ at, model, input, cached, output, cost }) => (
        <li>
          <span class="count">
            {shortTime(Date.parse(at))} {cost === undefined ? '?' : money({ cost, calls: 1, unpriced: 0 })}
          </span>{' '}
          <HiddenText text={model} />{' '}
          <span class="quiet count">
            {tokens(input)} in{cached > 0 && ` (${tokens(cached)} cached)`}, {tokens(output)} out
          </span>
        </li>
      ))}
      {tools.map(({ tool, ok, ms }) => (
        <li>
          <a href={toolPath(tool)}>
            <HiddenText text={tool} />
          </a>{' '}
          <span class={ok ? 'quiet' : 'bad'}>
            {ok ? '' : 'failed, '}
            {duration(ms)}
          </span>
        </li>
      ))}
      {tools.length > 0 && (
        <li>
          <a href="/trace">The trace</a> has the calls of tools while it is kept.
        </li>
      )}
    </ul>
  );
}
