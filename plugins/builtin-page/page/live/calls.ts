import { signal } from '@preact/signals';
import type { CallRow } from '../../wire.ts';
import { createCallTree, type KnownCall } from './call-tree.ts';

/** Rows that are kept at most, and after the oldest were dropped: each time moves the whole list. */
const maxRows = 5_000;
const keptRows = 4_000;

const tree = createCallTree();

/** As they began, those within a call under it. Changed in place. */
export const { calls } = tree;
export const callOf = (id: string): KnownCall | undefined => tree.find(id);
/** Increases when `calls` has changed, at most once per frame. */
export const callsVersion = signal(0);
/** Calls that the host could not send. */
export const skippedCalls = signal(0);
/** Calls that have come since the page was opened, kept or not. */
export let callsSeen = 0;
/** Calls that were dropped from the beginning of `calls`. */
export let dropped = 0;

export function addCalls(rows: readonly CallRow[]): void {
  for (const row of rows) if (tree.add(row)) callsSeen++;
  if (calls.length > maxRows) dropped += tree.keepLast(keptRows);
  announce();
}

/** The process that ran them has ended. */
export function endRunningCalls(): void {
  tree.change((call) => (call.outcome === undefined ? { ...call, outcome: 'lost' } : undefined));
  announce();
}

let frame = 0;
function announce(): void {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    callsVersion.value++;
  });
}
