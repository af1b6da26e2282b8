import { signal } from '@preact/signals';
import type { CallRow } from '../../wire.ts';

/** Rows that are kept at most, and after the oldest were dropped: each time moves the whole list. */
const maxRows = 5_000;
const keptRows = 4_000;

/** A call, and how many calls it is within. */
export interface KnownCall extends CallRow {
  readonly depth: number;
}

/** Oldest first. One list that is changed in place, because it changes thousands of times in a second. */
export const calls: KnownCall[] = [];
/** Increases when `calls` has changed, at most once per frame. */
export const callsVersion = signal(0);
/** Calls that the host could not send. */
export const skippedCalls = signal(0);
/** Calls that have come since the page was opened, kept or not. */
export let callsSeen = 0;

/** Calls that were dropped from the beginning of `calls`. */
export let dropped = 0;

/** By id: the place in `calls` plus `dropped`. */
const places = new Map<string, number>();

export const callOf = (id: string): KnownCall | undefined => calls[(places.get(id) ?? -1) - dropped];

export function addCalls(rows: readonly CallRow[]): void {
  for (const row of rows) add(row);
  if (calls.length > maxRows) drop();
  announce();
}

function add(row: CallRow): void {
  const parent = row.within === undefined ? undefined : callOf(row.within);
  const known = callOf(row.id);
  const call = { ...known, ...row, depth: parent ? Math.min(parent.depth + 1, 4) : 0 };
  if (known) {
    calls[places.get(row.id)! - dropped] = call;
    return;
  }
  callsSeen++;
  places.set(row.id, calls.length + dropped);
  calls.push(call);
}

function drop(): void {
  const gone = calls.splice(0, calls.length - keptRows);
  dropped += gone.length;
  for (const { id } of gone) places.delete(id);
}

/** The process that ran them has ended. */
export function endRunningCalls(): void {
  for (const [at, call] of calls.entries())
    if (call.outcome === undefined) calls[at] = { ...call, outcome: 'lost' };
  announce();
}

let frame = 0;
function announce(): void {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    callsVersion.value++;
  });
}
