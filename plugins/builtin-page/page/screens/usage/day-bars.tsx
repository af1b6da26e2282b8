import type { UsageLine, UsageSum } from '../../../usage/wire.ts';
import { go } from '../../router.ts';
import { money, tokens } from './amounts.ts';

interface Props {
  readonly days: readonly UsageLine[];
  readonly amount: (sum: UsageSum) => number;
  /** The day that is open; empty for none. */
  readonly chosen: string;
}

const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
export const dayName = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`));

/** A bar for each day; pressing one shows its turns. */
export function DayBars({ days, amount, chosen }: Props) {
  const most = Math.max(...days.map(amount)) || 1;
  return (
    <>
      <ol class="bars">
        {days.map((line) => {
          const says = `${dayName(line.name)}: ${money(line)}, ${tokens(line.input + line.output)} tokens, ${line.calls} ${line.calls === 1 ? 'call' : 'calls'}`;
          const isChosen = line.name === chosen;
          return (
            <li>
              <button
                type="button"
                aria-label={says}
                title={says}
                aria-pressed={isChosen}
                onClick={() => go(isChosen ? '/usage' : `/usage/${line.name}`)}
              >
                <i style={{ height: `${(100 * amount(line)) / most}%` }} />
              </button>
            </li>
          );
        })}
      </ol>
      <p class="axis" aria-hidden="true">
        <span>{dayName(days[0]!.name)}</span>
        <span>{dayName(days.at(-1)!.name)}</span>
      </p>
    </>
  );
}
