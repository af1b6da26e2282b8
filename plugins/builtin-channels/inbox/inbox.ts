import type { ChannelInbox, RawEvent } from 'pegboard';
import type { WaitingRoom } from '../access/waiting-room.ts';
import type { ChannelParts } from '../channel-parts.ts';
import { createCatchUp } from './catch-up.ts';
import type { StoredEvent } from './events.ts';
import { isRelevant, readSafely } from '../incoming/is-relevant.ts';
import { watchSplits } from '../incoming/split-text.ts';
import type { Routes } from './routes.ts';

export interface InboxParts extends Pick<
  ChannelParts,
  | 'driver'
  | 'connection'
  | 'settings'
  | 'events'
  | 'turns'
  | 'messages'
  | 'allowed'
  | 'moved'
  | 'holds'
  | 'clock'
> {
  readonly waitingRoom: Pick<WaitingRoom, 'holds'>;
  readonly routes: Pick<Routes, 'add'>;
}

/** What one call of `listen` hands events to. Disposing stores the position that it has reached. */
export type OpenInbox = ChannelInbox & AsyncDisposable;

/** Milliseconds between two positions that are stored without an event: a service sends many that are for others. */
const positionIntervalMs = 60_000;

/** Stores events before they are acknowledged, and routes them. Returns what opens an inbox, first with what was left. */
export function createInbox(parts: InboxParts): () => Promise<OpenInbox> {
  const { driver, connection, events, turns, moved, holds, waitingRoom, routes, clock } = parts;
  /** Events may be stored that nobody routes: from before, or because the answer of the database was lost. */
  let hasLeft = true;
  let sweeps = 0;
  const routeLeft = async (): Promise<void> => {
    sweeps++;
    for (const event of await turns.left())
      if (!waitingRoom.holds(event)) routes.add(event, { wasLeft: true });
    hasLeft = false;
  };
  const isRest = watchSplits(driver, clock);
  /** What the service says of chats is noted before anything is stored under their ids. */
  const relevantOf = async (received: readonly RawEvent[]): Promise<readonly RawEvent[]> => {
    const read = received.map((raw) => ({ raw, event: readSafely(raw, driver) }));
    for (const { event } of read)
      if (event?.kind === 'chat' && event.movedTo !== undefined && !event.isPrivate)
        await moved.note(event.address.chat, event.movedTo);
    const relevant: RawEvent[] = [];
    for (const { raw, event } of read) {
      const isMeant = isRelevant(raw, parts);
      const isKept = event?.kind === 'message' ? isRest(event, isMeant) || isMeant : isMeant;
      if (isKept) relevant.push(raw);
      // Whoever writes in a chat shows as well that it is open.
      if (event && (isKept || event.kind === 'chat')) await holds.hasSign(event.address.chat);
    }
    return relevant;
  };
  const store: ChannelInbox['take'] = async (received, position) => {
    const before = sweeps;
    let stored: readonly StoredEvent[];
    try {
      stored = await events.store(received, position);
    } catch (cause) {
      hasLeft = true;
      throw cause;
    }
    if (received.length > 0) connection.status.working();
    // Those that were left came before these, and may be among them.
    if (hasLeft || sweeps > before) return await routeLeft();
    for (const event of stored) routes.add(event);
  };
  return async () => {
    if (hasLeft) await routeLeft();
    const position = await events.position();
    let storedAt = Number.NEGATIVE_INFINITY;
    let reached: object | undefined;
    const take: ChannelInbox['take'] = async (received, now) => {
      const relevant = await relevantOf(received);
      const isForOthers = received.length > 0 && relevant.length === 0;
      if (isForOthers && clock.monotonic() - storedAt < positionIntervalMs) {
        reached = now ?? reached;
        return;
      }
      await store(relevant, now ?? reached);
      storedAt = clock.monotonic();
      reached = undefined;
    };
    return {
      take,
      position,
      catchUp: createCatchUp({ parts, take, isFirst: position === undefined }),
      async [Symbol.asyncDispose]() {
        if (reached !== undefined) await events.store([], reached).catch(() => {});
      },
    };
  };
}
