import type { Claim } from 'pegboard';
import type { ChannelTables } from 'pegboard/kit';
import type { ChannelFailure } from '../failure.ts';
import type { StoredEvent } from './events.ts';
import {
  addJob,
  chatOf,
  createHoldRows,
  pauseAfter,
  settle,
  withoutJob,
  type Hold,
  type HoldsOptions,
} from './hold-rows.ts';
import { lockHolds } from './turn-queue.ts';

/**
 * What waits because the account or its chat takes nothing: events without a job. One of them is tried now and then; when
 * its answer arrives, the others follow in their order.
 */
export interface Holds {
  all(): Promise<readonly Hold[]>;
  /** Those in the way of an event, also if it is the one that is tried. */
  over(event: StoredEvent): Promise<readonly Hold[]>;
  /** Ends the job of an event that has to wait. False: it needn't any more. */
  keepBack(event: StoredEvent, claim: Claim): Promise<boolean>;
  /** The same for one that has failed: from now on others wait too. */
  begin(event: StoredEvent, failure: ChannelFailure, claim: Claim): Promise<void>;
  /** The account takes nothing, as the service says without an event. */
  beginForAccount(reason: string): Promise<void>;
  /** Tries the first event that waits; without one, the hold is over. */
  probe(hold: Hold): Promise<void>;
  /** It failed again without an event. */
  postpone(hold: Hold, reason: string): Promise<void>;
  /** Something was delivered: all that waits goes on. */
  end(holds: readonly Hold[]): Promise<void>;
  /** There is a sign that the chat, or the account (an empty text), takes messages: it is tried now. */
  hasSign(chat: string): Promise<void>;
  /** Ends those whose event was dealt with by a process that could not say so any more. */
  endSettled(): Promise<void>;
  /** Gives up what waits for a chat and nobody is owed, and ends the holds behind which nothing waits then. */
  giveUp(isOwed: (event: StoredEvent) => Promise<boolean>): Promise<void>;
  told(hold: Hold): Promise<void>;
  /** Resolves when a hold has changed in this process. */
  changed(): Promise<void>;
}

export function createHolds(options: HoldsOptions): Holds {
  const { store, engine, clock } = options;
  let change = Promise.withResolvers<void>();
  const changed = (): void => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const holdRows = createHoldRows(options);
  const { rows, settledProbes, updateOf, insert, again, endIn, heldBack } = holdRows;
  const end: Holds['end'] = async (holds) => {
    const queue = await engine();
    await (await store.open()).transaction().execute(async (transaction) => {
      for (const hold of holds) await endIn(transaction, queue, hold);
    });
    changed();
  };
  return {
    end,
    all: async () => await (await rows()).execute(),
    over: async (event) => await (await rows()).where('chat', 'in', ['', chatOf(event)]).execute(),
    async keepBack(event, claim) {
      try {
        await claim.end<ChannelTables>({ state: 'done' }, async (transaction) => {
          if ((await lockHolds(transaction, event)).length === 0) throw isFree;
          await withoutJob(transaction, event);
        });
        return true;
      } catch (cause) {
        if (cause === isFree) return false;
        throw cause;
      }
    },
    async begin(event, { scope, message: reason }, claim) {
      const chat = scope === 'account' ? '' : chatOf(event);
      const before = await (await rows()).where('probe', '=', event.id).execute();
      const queue = await engine();
      await claim.end<ChannelTables>({ state: 'done' }, async (transaction) => {
        await withoutJob(transaction, event);
        await insert(transaction, chat, reason);
        for (const hold of before) {
          if (hold.chat === chat) await updateOf(transaction, hold).set(again(hold, reason)).execute();
          // A chat that refuses is one that the account has reached.
          else if (hold.chat === '') await endIn(transaction, queue, hold);
          else await updateOf(transaction, hold).set({ probe: null }).execute();
        }
      });
      changed();
    },
    async beginForAccount(reason) {
      await insert(await store.open(), '', reason);
      changed();
    },
    async probe(hold) {
      const queue = await engine();
      await (await store.open()).transaction().execute(async (transaction) => {
        const free = await updateOf(transaction, hold)
          .set({ next_at: clock.now() + pauseAfter(hold.chat, hold.tries) })
          .where('probe', 'is', null)
          .returning('chat')
          .executeTakeFirst();
        if (!free) return;
        const first = await heldBack(transaction, hold).limit(1).executeTakeFirst();
        if (!first) return await endIn(transaction, queue, hold);
        await updateOf(transaction, hold).set({ probe: first.id }).execute();
        await addJob(transaction as never, queue, first);
      });
    },
    async postpone(hold, reason) {
      await updateOf(await store.open(), hold)
        .set(again(hold, reason))
        .where('probe', 'is', null)
        .execute();
    },
    async endSettled() {
      const settled = await settledProbes();
      if (settled.length > 0) await end(settled);
    },
    async hasSign(chat) {
      // Few events are one, and an update waits for the write lock even if it changes nothing.
      const held = await (
        await rows()
      )
        .where('chat', '=', chat)
        .where('probe', 'is', null)
        .executeTakeFirst();
      if (!held) return;
      await updateOf(await store.open(), held)
        .set({ next_at: clock.now() })
        .execute();
      changed();
    },
    giveUp: async (isOwed) => void ((await giveUp(isOwed, options, holdRows)) && changed()),
    async told(hold) {
      await updateOf(await store.open(), hold)
        .set({ told: 1 })
        .execute();
    },
    changed: () => change.promise,
  };
}

/** Whether anything was given up. */
async function giveUp(
  isOwed: Parameters<Holds['giveUp']>[0],
  { store, engine }: HoldsOptions,
  { rows, heldBack, endIn }: ReturnType<typeof createHoldRows>,
): Promise<boolean> {
  const queue = await engine();
  const open = await store.open();
  const query = (await rows()).where('chat', '!=', '').where('probe', 'is', null);
  let any = false;
  for (const hold of await query.execute()) {
    const waiting = await heldBack(open, hold).execute();
    const areOwed = await Promise.all(waiting.map(isOwed));
    const over = waiting.filter((_event, index) => !areOwed[index]).map(({ id }) => id);
    if (over.length === 0) continue;
    await open.transaction().execute(async (transaction) => {
      await settle(transaction, over);
      if (over.length === waiting.length) await endIn(transaction, queue, hold);
    });
    any = true;
  }
  return any;
}

/** Undoes the transaction. */
const isFree = new Error('it is held back no more');
