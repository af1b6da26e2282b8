import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { UsageLine, UsageOverview, UsageSum } from '../../../usage/wire.ts';
import { reading } from '../../live/reading.ts';
import { Broken } from '../../parts/broken.tsx';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { Offline } from '../../parts/offline.tsx';
import { path } from '../../router.ts';
import { amountOf, money, tokens } from './amounts.ts';
import { DayBars } from './day-bars.tsx';
import { DayTurns } from './day-turns.tsx';

const overview = reading<UsageOverview>('usage');

/** What did it cost, and why? */
export function UsageScreen() {
  useEffect(() => overview.follow(), []);
  const used = overview.value.value;
  const day = path.value[1] ?? '';
  return (
    <div class="scroll">
      <header class="lead">
        <h1 tabIndex={-1}>{used ? sentenceOf(used) : 'Usage'}</h1>
      </header>
      <Offline knowsNothing={used === undefined} />
      {overview.problem.value !== undefined && (
        <Broken
          what="The usage could not be read."
          why={overview.problem.value}
          again={() => void overview.read()}
        />
      )}
      {!used && overview.problem.value === undefined && <p class="quiet">Loading…</p>}
      {used && <Used used={used} day={day} />}
    </div>
  );
}

function sentenceOf({ windows }: UsageOverview): string {
  const [today, , month] = windows;
  if (month!.sum.calls === 0) return 'No model was used in the last 30 days.';
  const { calls, unpriced, input, output } = month!.sum;
  if (unpriced === calls)
    return `${calls === 1 ? '1 call' : `${calls.toLocaleString()} calls`} of models with no known price in 30 days, ${tokens(input + output)} tokens.`;
  return `${money(today!.sum)} today, ${money(month!.sum)} in 30 days.`;
}

function Used({ used, day }: { readonly used: UsageOverview; readonly day: string }) {
  const month = used.windows.at(-1)!.sum;
  const byCost = useSignal<boolean | undefined>(undefined);
  const isByCost = byCost.value ?? month.cost > 0;
  if (month.calls === 0)
    return (
      <p class="quiet">
        What models answer in chats, schedules and channels shows here: by day, by model and by agent, down to
        each call.
      </p>
    );
  return (
    <>
      <section class="windows" aria-label="Side by side">
        {used.windows.map(({ days, sum }) => (
          <Window title={days === 1 ? 'Today' : `${days} days`} sum={sum} />
        ))}
      </section>
      <section class="sheet" aria-labelledby="by-day">
        <div class="row">
          <h2 id="by-day" class="grow">
            By day
          </h2>
          <div class="switch" role="group" aria-label="What is compared">
            <button type="button" aria-pressed={isByCost} onClick={() => (byCost.value = true)}>
              Cost
            </button>
            <button type="button" aria-pressed={!isByCost} onClick={() => (byCost.value = false)}>
              Tokens
            </button>
          </div>
        </div>
        <DayBars days={used.days} amount={amountOf(isByCost)} chosen={day} />
      </section>
      {day !== '' && <DayTurns key={day} day={day} />}
      <div class="columns">
        <Shares title="By model" lines={used.models} amount={amountOf(isByCost)} />
        <Shares title="By agent" lines={used.agents} amount={amountOf(isByCost)} />
      </div>
    </>
  );
}

function Window({ title, sum }: { readonly title: string; readonly sum: UsageSum }) {
  return (
    <div class="sheet">
      <h2>{title}</h2>
      <p class="large">{money(sum)}</p>
      <p class="quiet count">
        {sum.calls.toLocaleString()} {sum.calls === 1 ? 'call' : 'calls'}, {tokens(sum.input)} in
        {sum.cached > 0 && ` (${tokens(sum.cached)} cached)`}, {tokens(sum.output)} out
        {sum.unpriced > 0 && sum.unpriced < sum.calls && `, ${sum.unpriced} of unknown price`}
      </p>
    </div>
  );
}

interface SharesProps {
  readonly title: string;
  readonly lines: readonly UsageLine[];
  readonly amount: (sum: UsageSum) => number;
}

/** Names that are shown. */
const maxLines = 12;

function Shares({ title, lines, amount }: SharesProps) {
  const most = Math.max(...lines.map(amount)) || 1;
  const shown = lines.toSorted((a, b) => amount(b) - amount(a));
  return (
    <section class="sheet">
      <h2>{title}</h2>
      <ul class="rows shares">
        {shown.slice(0, maxLines).map((line) => (
          <li>
            <span>
              <HiddenText text={line.name} />
            </span>
            <span class="count">
              {money(line)} <span class="quiet">{tokens(line.input + line.output)}</span>
            </span>
            <span class="bar" aria-hidden="true">
              <i style={{ width: `${(100 * amount(line)) / most}%` }} />
            </span>
          </li>
        ))}
      </ul>
      {shown.length > maxLines && <p class="quiet">And {shown.length - maxLines} more.</p>}
    </section>
  );
}
