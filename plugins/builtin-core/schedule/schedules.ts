import { PegboardError, toJson, type PluginContext } from 'pegboard';
import type { Clock } from 'pegboard';
import { storedOrigins, type StoredOrigin } from '../background/origin.ts';
import { toIso } from './claims.ts';
import { findDuplicate } from './duplicates.ts';
import { readMoment, showMoment, type ZonedMoment } from './moment.ts';
import type { Schedule, ScheduleStore } from './store.ts';
import type { CatchUp, SchedulesTable } from './tables.ts';
import { readWhen } from './read-when.ts';
import { timingOf } from './timing.ts';
import { checkTimezone } from './timezone.ts';

/** Maximum number of active schedules, so that a model in a loop can't fill the home. */
const maxActive = 500;
/** Milliseconds. A moment that has just passed is taken as now. */
const justPassedMs = 60_000;

export interface ScheduleRequest {
  readonly kind: SchedulesTable['kind'];
  readonly text: string;
  /** Exactly one of the two. */
  readonly runAt?: string | undefined;
  readonly cron?: string | undefined;
  /** Default: the home's time zone. */
  readonly timezone?: string | undefined;
  readonly catchUp?: CatchUp | undefined;
  readonly allowDuplicate?: boolean | undefined;
  /** It is not due before it is resumed. */
  readonly paused?: boolean | undefined;
}

export interface Created {
  readonly schedule: Schedule;
  /** An equivalent schedule existed, and none was created. */
  readonly isDuplicate: boolean;
  /** The time of day that was assumed because the text gave none. */
  readonly assumed: ZonedMoment['assumed'];
}

/**
 * Throws PEG_INVALID_ARGUMENTS for unreadable times and times in the past, and PEG_LIMIT when there are too many
 * schedules.
 */
export async function createSchedule(
  request: ScheduleRequest,
  origin: StoredOrigin,
  services: {
    readonly context: Pick<PluginContext, 'timezone' | 'embed'>;
    readonly store: ScheduleStore;
    readonly clock: Clock;
  },
): Promise<Created> {
  const { context, store, clock } = services;
  const now = clock.now();
  const timezone = request.timezone ?? context.timezone;
  const { assumed, ...timing } = await readTiming(request, timezone, now);
  const schedule = { kind: request.kind, text: request.text.trim(), timezone, ...timing };
  const limits = origin.limits ? toJson(origin.limits) : null;
  const active = await store.list('active');
  if (request.allowDuplicate !== true) {
    const own = active.filter(
      (other) => other.creator === origin.creator && other.kind === schedule.kind && other.limits === limits,
    );
    const duplicate = await findDuplicate(schedule, own, { now, context });
    if (duplicate) return { schedule: duplicate, isDuplicate: true, assumed };
  }
  if (active.length >= maxActive) {
    throw new PegboardError(
      'PEG_LIMIT',
      `There are ${maxActive} active schedules already. Cancel some first.`,
    );
  }
  const id = await store.add({
    ...schedule,
    catch_up: request.catchUp ?? 'run_once',
    agent: origin.agent ?? null,
    creator: origin.creator,
    channel: origin.chat?.channel ?? null,
    chat: origin.chat?.chat ?? null,
    limits,
    untrusted: storedOrigins(origin.untrusted),
    created_at: toIso(now),
    paused_at: request.paused === true ? toIso(now) : null,
    asked_at: null,
    // A single moment that has just passed is due at once.
    handled_until: toIso(schedule.run_at === null ? now : Math.min(now, Date.parse(schedule.run_at) - 1)),
  });
  return { schedule: (await store.find(id))!, isDuplicate: false, assumed };
}

async function readTiming(
  { runAt, cron }: ScheduleRequest,
  timezone: string,
  now: number,
): Promise<Pick<Schedule, 'cron' | 'run_at'> & Pick<Created, 'assumed'>> {
  if ((runAt === undefined) === (cron === undefined)) {
    throw new PegboardError(
      'PEG_INVALID_ARGUMENTS',
      'Give either run_at (once) or cron_expression (again and again).',
    );
  }
  checkTimezone(timezone);
  if (cron !== undefined) {
    const read = await readWhen(cron.trim(), timezone, now);
    if (!('cron' in read)) throw await notRecurring(read.runAt, timezone, now);
    const timing = { cron: read.cron, run_at: null, assumed: undefined };
    if (timingOf({ ...timing, timezone }).after(now) !== undefined) return timing;
    throw new PegboardError('PEG_INVALID_ARGUMENTS', `"${cron}" is never due again.`);
  }
  const { at, assumed } = await readMoment(runAt!, timezone, now);
  if (at >= now - justPassedMs) return { cron: null, run_at: toIso(at), assumed };
  throw new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `${runAt} is in the past: in ${timezone} it is now ${showMoment(now, timezone)}.`,
  );
}

async function notRecurring(text: string, timezone: string, now: number): Promise<PegboardError> {
  const isMoment = await readMoment(text, timezone, now).then(
    () => true,
    () => false,
  );
  const { explainUnread } = await import('./suggest-time.ts');
  const why = isMoment
    ? ': it is a single time, which belongs in run_at.'
    : await explainUnread(text, now, possible);
  return new PegboardError('PEG_INVALID_ARGUMENTS', `"${text}" can't be read as a recurring time${why}`);
}

const possible =
  'Write a cron expression ("0 9 * * 1", on Mondays at 9) or words: "every monday at 9", "every 2 hours", "every 1st of the month at 9".';
