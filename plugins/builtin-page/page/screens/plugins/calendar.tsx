import type { ScreenView } from '../../../screens/wire.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { clock, dayName, textAt } from './cell.tsx';
import { screenPath } from '../../plugin-links.ts';

const defaultDays = 14;
/** Entries of one day that are shown. */
const maxEntries = 8;
const maxLength = 60;

interface Entry {
  readonly at: Date;
  readonly title: string;
  readonly row: string | undefined;
}

/** The days from today on, each with what is entered in it. */
export function Calendar({
  view,
  entries,
}: {
  readonly view: ScreenView;
  readonly entries: readonly unknown[];
}) {
  const { at, title, row, days = defaultDays } = view.calendar!;
  const known = entries
    .map((one): Entry => ({
      at: new Date(textAt(one, at)),
      title: textAt(one, title),
      row: row === undefined ? undefined : textAt(one, row),
    }))
    .filter((one) => !Number.isNaN(one.at.getTime()))
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const today = new Date();
  const dates = Array.from(
    { length: days },
    (_, day) => new Date(today.getFullYear(), today.getMonth(), today.getDate() + day),
  );
  return (
    <ol class="calendar" aria-label={`${view.title}: the next ${days} days`}>
      {dates.map((date, index) => {
        const own = known.filter((entry) => entry.at.toDateString() === date.toDateString());
        return (
          <li class={own.length === 0 ? 'free' : ''}>
            <h3>{index === 0 ? 'Today' : dayName(date)}</h3>
            {own.length > 0 && (
              <ul>
                {own.slice(0, maxEntries).map((entry) => (
                  <li>
                    <EntryLine view={view} entry={entry} />
                  </li>
                ))}
                {own.length > maxEntries && <li class="quiet">and {own.length - maxEntries} more</li>}
              </ul>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function EntryLine({
  view,
  entry: { at, title, row },
}: {
  readonly view: ScreenView;
  readonly entry: Entry;
}) {
  const line = title.replaceAll(/\s+/g, ' ').trim();
  const text = (
    <>
      <span class="count quiet">{clock(at)}</span>{' '}
      <HiddenText text={line.length > maxLength ? `${line.slice(0, maxLength)}…` : line} />
    </>
  );
  return row === undefined || row === '' ? text : <a href={screenPath(view, row)}>{text}</a>;
}
