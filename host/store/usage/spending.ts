import type { Kysely } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import { pegboard } from '../../core/own-command.ts';
import { PegboardError } from '../../core/errors.ts';
import type { Database } from '../database/database.ts';
import type { DayOf } from '../conversations/day.ts';
import { thisProcess } from '../../core/processes/owner.ts';
import { findAbandoned } from '../database/abandoned.ts';
import type { Tables } from '../database/schema.ts';
import { insertUsage, type UsageEntry } from './usage-entry.ts';

/** What a model call that is about to be made may cost. All amounts are US dollars. */
export interface SpendingRequest {
  readonly agent: string;
  readonly model: string;
  /** Maximum cost of the call. If undefined, the most expensive call of today is used instead. */
  readonly estimate?: number;
  /** A day's limits: of the agent, and of the whole home. */
  readonly caps: { readonly agent?: number; readonly home?: number };
  readonly signal: AbortSignal;
}

/** Reserved money. Disposing without `settle` releases it: the call was not made, or failed. */
interface Reservation extends AsyncDisposable {
  /** Records the actual cost in place of the reservation. */
  settle(entry: UsageEntry): Promise<void>;
}

export interface Spending {
  /**
   * Runs before each model call. The call is admitted as long as spent and reserved money are below the caps, so that
   * any number of concurrent turns and processes overspend by one call at most. Waits while the answer depends on
   * running calls. Throws PEG_LIMIT when the day's money is spent, and the signal's reason on abort.
   */
  reserve(request: SpendingRequest): Promise<Reservation>;
}

/** Milliseconds between checks whether another process has settled. Calls of this process notify waiting ones. */
const lookAgainMs = 250;
/** No model call takes longer: older reservations belong to a process that died on another machine. */
const maxCallMs = 3_600_000;

export function createSpending(database: Database, dayOf: DayOf): Spending {
  let settled = Promise.withResolvers<void>();
  const wake = (): void => {
    settled.resolve();
    settled = Promise.withResolvers();
  };

  const admit = async (request: SpendingRequest): Promise<number> => {
    const open = await database.open();
    for (;;) {
      request.signal.throwIfAborted();
      const news = settled.promise;
      const id = await open
        .transaction()
        .execute(async (transaction) => await tryToAdmit(transaction, request, dayOf));
      if (id !== undefined) return id;
      await firstOf(news, request.signal);
    }
  };

  return {
    async reserve(request) {
      const { agent, home } = request.caps;
      const id = agent === undefined && home === undefined ? undefined : await admit(request);
      const open = await database.open();
      let isOpen = true;
      return {
        async settle(entry) {
          if (id === undefined) await insertUsage(open, entry, dayOf);
          else
            await open.transaction().execute(async (transaction) => {
              await insertUsage(transaction, entry, dayOf);
              await release(transaction, id);
            });
          isOpen = false;
          wake();
        },
        async [Symbol.asyncDispose]() {
          if (!isOpen || id === undefined) return;
          await release(open, id);
          wake();
        },
      };
    },
  };
}

/** The reservation's number; undefined while it depends on what running calls will cost. */
async function tryToAdmit(
  database: Kysely<Tables>,
  { agent, model, estimate, caps }: SpendingRequest,
  dayOf: DayOf,
): Promise<number | undefined> {
  const now = new Date();
  const day = dayOf(now);
  const spent = await readSpent(database, day, agent, model);
  const reserved = await readReserved(database, agent);
  const limits = [
    {
      whose: `The agent ${agent}`,
      setting: 'runtime.spend_per_day in its file',
      cap: caps.agent,
      spent: spent.agent,
      reserved: reserved.agent,
    },
    {
      whose: 'This home',
      setting: 'models.spendPerDay in pegboard.yaml',
      cap: caps.home,
      spent: spent.home,
      reserved: reserved.home,
    },
  ].filter((limit): limit is typeof limit & { readonly cap: number } => limit.cap !== undefined);
  for (const { whose, setting, cap, spent: used } of limits) {
    if (used >= cap) throw spentUp(whose, setting, used, cap);
  }
  const left = Math.min(...limits.map((limit) => limit.cap - limit.spent - limit.reserved));
  if (left <= 0) return undefined;
  // The first call of a day at an unknown price reserves everything that is left, and others wait for its actual cost.
  const amount = Math.max(estimate ?? spent.dearest ?? left, spent.dearest ?? 0);
  const { id } = await database
    .insertInto('reservations')
    .values({ day, at: now.toISOString(), agent, amount, owner: thisProcess })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * `dearest`: the highest cost of one call of this model today; undefined when there was none, 0 when its price isn't
 * known.
 */
async function readSpent(
  database: Kysely<Tables>,
  day: string,
  agent: string,
  model: string,
): Promise<{ readonly home: number; readonly agent: number; readonly dearest: number | undefined }> {
  const rows = await database
    .selectFrom('usage')
    .select((eb) => [
      'agent',
      'model',
      eb.fn.coalesce(eb.fn.sum<number>('cost'), eb.lit(0)).as('cost'),
      eb.fn.coalesce(eb.fn.max('cost'), eb.lit(0)).as('dearest'),
    ])
    .where('day', '=', day)
    .groupBy(['agent', 'model'])
    .execute();
  const sum = (some: typeof rows): number => some.reduce((total, { cost }) => total + cost, 0);
  const ofModel = rows.filter((row) => row.model === model).map(({ dearest }) => dearest);
  return {
    home: sum(rows),
    agent: sum(rows.filter((row) => row.agent === agent)),
    dearest: ofModel.length > 0 ? Math.max(...ofModel) : undefined,
  };
}

/** Also releases the reservations of dead processes. */
async function readReserved(
  database: Kysely<Tables>,
  agent: string,
): Promise<{ readonly home: number; readonly agent: number }> {
  const sum = { home: 0, agent: 0 };
  const rows = await database.selectFrom('reservations').selectAll().execute();
  const works = rows.map((row) => ({ ...row, since: row.at }));
  const isAbandoned = await findAbandoned(database, works, maxCallMs);
  for (const row of works) {
    if (isAbandoned(row)) {
      await release(database, row.id);
      continue;
    }
    sum.home += row.amount;
    if (row.agent === agent) sum.agent += row.amount;
  }
  return sum;
}

async function release(database: Kysely<Tables>, id: number): Promise<void> {
  await database.deleteFrom('reservations').where('id', '=', id).execute();
}

function spentUp(whose: string, setting: string, spent: number, cap: number): PegboardError {
  return new PegboardError(
    'PEG_LIMIT',
    `${whose} has spent $${spent.toFixed(2)} today, and its cap is $${cap.toFixed(2)} a day. It can continue tomorrow, or with a higher cap (${setting}); \`${pegboard} usage\` shows what it was spent on.`,
    { data: { spent, cap } },
  );
}

async function firstOf(news: Promise<void>, signal: AbortSignal): Promise<void> {
  const timer = new AbortController();
  const either = AbortSignal.any([signal, timer.signal]);
  await Promise.race([news, delay(lookAgainMs, undefined, { signal: either }).catch(() => {})]);
  timer.abort();
}
