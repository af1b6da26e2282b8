import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { memberAt, toJson } from 'pegboard/browser';
import type { ScreenView } from '../../../screens/wire.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { LongText } from '../../parts/long-text.tsx';

export type Column = ScreenView['columns'][number];

/** Characters of a text that a cell shows, and that are shown at first where there is room for all. */
const maxLength = 400;
const maxWhole = 3_000;

/** What a member of a row holds, as text. */
export function textAt(row: unknown, member: string): string {
  const value = memberAt(row, member);
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : toJson(value);
}

const isEmpty = (value: unknown): boolean =>
  !value || value === '[]' || (Array.isArray(value) && value.length === 0);

/** One member of a row, as its column says. Nothing for a member that isn't there. */
export function Cell({
  row,
  column,
  whole = false,
}: {
  readonly row: unknown;
  readonly column: Column;
  readonly whole?: boolean;
}) {
  const value = memberAt(row, column.member);
  const text = textAt(row, column.member);
  const shown = whole || text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
  switch (column.as ?? 'text') {
    case 'time':
      return <Moment iso={text} />;
    case 'state':
      return text === '' ? null : (
        <span class={`state ${Object.hasOwn(column.marks ?? {}, text) ? column.marks![text] : ''}`}>
          <HiddenText text={shown} />
        </span>
      );
    case 'count':
      return (
        <span class="count">{typeof value === 'number' && value !== 0 ? value.toLocaleString() : ''}</span>
      );
    case 'tags':
      return <Tags of={Array.isArray(value) ? value : []} />;
    case 'flag':
      return isEmpty(value) ? null : <span class="tag warn">{column.title}</span>;
    case 'code':
      return (
        <code>
          <HiddenText text={shown} />
        </code>
      );
    case 'text':
      return whole && text.length > maxWhole ? <Long text={text} /> : <HiddenText text={shown} />;
  }
}

/** The rest of a long text is shown on request: browsers need seconds to lay out some texts. */
function Long({ text }: { readonly text: string }) {
  const isWhole = useSignal(false);
  if (isWhole.value) return <LongText text={text} />;
  return (
    <>
      <HiddenText text={`${text.slice(0, maxWhole)}…`} />{' '}
      <button type="button" class="small" onClick={() => (isWhole.value = true)}>
        Show more
      </button>
    </>
  );
}

/** Whether the cell would show something. */
export function hasContent(row: unknown, { member, as = 'text' }: Column): boolean {
  const value = memberAt(row, member);
  if (as === 'flag' || as === 'tags' || as === 'count') return !isEmpty(value);
  return value !== undefined && value !== null && value !== '';
}

function Tags({ of }: { readonly of: readonly unknown[] }): ComponentChildren {
  return of.slice(0, 20).map((one) => (
    <>
      <span class="tag">
        <HiddenText text={String(one).slice(0, 60)} />
      </span>{' '}
    </>
  ));
}

/** In the time zone of the browser; what is no moment stays text. */
function Moment({ iso }: { readonly iso: string }): ComponentChildren {
  const at = new Date(iso);
  if (iso === '' || Number.isNaN(at.getTime())) return <HiddenText text={iso} />;
  return (
    <time dateTime={at.toISOString()} title={at.toISOString()} class="count">
      {dayName(at)}, {clock(at)}
    </time>
  );
}

/** Of the browser. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const clockFormat = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
export const clock = (at: Date): string => clockFormat.format(at);

const dayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const farFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

/** "Mon, 4 May", or with the year if it is another one. */
export const dayName = (at: Date): string =>
  (at.getFullYear() === new Date().getFullYear() ? dayFormat : farFormat).format(at);
