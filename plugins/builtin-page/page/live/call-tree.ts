import type { CallRow } from '../../wire.ts';

/** A call, and how many calls it is within. */
export interface KnownCall extends CallRow {
  readonly depth: number;
}

/**
 * Calls in the order in which they began, those within a call under it, whatever the order in which they are told: the
 * audit has a call after those that it made.
 */
export interface CallTree {
  /** One list that is changed in place, because it changes thousands of times in a second. */
  readonly calls: readonly KnownCall[];
  find(id: string): KnownCall | undefined;
  /** Whether it is new; otherwise it replaces what was known of it. */
  add(row: CallRow): boolean;
  /** Changes calls that fit; those that `change` returns undefined for stay. */
  change(change: (call: KnownCall) => KnownCall | undefined): void;
  /** Removes the first calls. Returns how many. */
  keepLast(count: number): number;
}

export function createCallTree(): CallTree {
  const calls: KnownCall[] = [];
  const byId = new Map<string, KnownCall>();
  /** Calls whose parent is not known yet, by its id. */
  const orphans = new Map<string, Set<string>>();

  const replace = (at: number, call: KnownCall): void => {
    calls[at] = call;
    byId.set(call.id, call);
  };
  // Most of what happens is at the end.
  const placeOf = (id: string): number => calls.findLastIndex((call) => call.id === id);
  /** Where the calls within the one at this place end. */
  const endOf = (place: number): number => {
    const { depth } = calls[place]!;
    let end = place + 1;
    while (end < calls.length && calls[end]!.depth > depth) end++;
    return end;
  };
  /** Behind the last outermost call that began before, and what is within it. */
  const placeByTime = (at: number): number => {
    let place = calls.length;
    while (place > 0) {
      let begin = place - 1;
      while (begin > 0 && calls[begin]!.depth > 0) begin--;
      if (calls[begin]!.at <= at) break;
      place = begin;
    }
    return place;
  };
  /** Behind those of its siblings that began before. */
  const placeWithin = (parent: KnownCall, at: number): number => {
    const begin = placeOf(parent.id);
    let place = endOf(begin);
    for (let before = place - 1; before > begin; before--)
      if (calls[before]!.depth === parent.depth + 1) {
        if (calls[before]!.at <= at) break;
        place = before;
      }
    return place;
  };
  const adopt = (parent: KnownCall): void => {
    for (const id of orphans.get(parent.id) ?? []) {
      const begin = placeOf(id);
      const own = placeOf(parent.id);
      // Gone, or itself within what it is said to contain.
      if (begin < 0 || (begin <= own && own < endOf(begin))) continue;
      const block = calls.splice(begin, endOf(begin) - begin);
      const deeper = block.map((call) => ({ ...call, depth: call.depth + parent.depth + 1 }));
      for (const call of deeper) byId.set(call.id, call);
      calls.splice(placeWithin(parent, deeper[0]!.at), 0, ...deeper);
    }
    orphans.delete(parent.id);
  };

  return {
    calls,
    find: (id) => byId.get(id),
    add(row) {
      const known = byId.get(row.id);
      if (known) {
        replace(placeOf(row.id), { ...known, ...row });
        return false;
      }
      const parent = row.within === undefined ? undefined : byId.get(row.within);
      const call = { ...row, depth: parent ? parent.depth + 1 : 0 };
      calls.splice(parent ? placeWithin(parent, row.at) : placeByTime(row.at), 0, call);
      byId.set(call.id, call);
      if (row.within !== undefined && !parent) {
        const waiting = orphans.get(row.within) ?? new Set();
        orphans.set(row.within, waiting.add(row.id));
      }
      adopt(call);
      return true;
    },
    change(change) {
      for (const [at, call] of calls.entries()) {
        const changed = change(call);
        if (changed) replace(at, changed);
      }
    },
    keepLast(count) {
      const gone = calls.splice(0, Math.max(0, calls.length - count));
      for (const { id, within } of gone) {
        byId.delete(id);
        if (within === undefined) continue;
        orphans.get(within)?.delete(id);
        if (orphans.get(within)?.size === 0) orphans.delete(within);
      }
      return gone.length;
    },
  };
}
