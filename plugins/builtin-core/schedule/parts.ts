import { pegboard } from 'pegboard';
import type { FileMentions, PluginCommand, PluginContext, Service, Tool } from 'pegboard';
import type { Clock } from 'pegboard';
import { migrations } from '../migrations.ts';
import { scheduleCommands } from './commands.ts';
import type { Scheduling } from './scheduling.ts';
import type { ScheduleStore } from './store.ts';
import type { ScheduleTables } from './tables.ts';
import { createScheduleCancel } from './tools/cancel.ts';
import { createScheduleCreate } from './tools/create.ts';
import { createScheduleList } from './tools/list.ts';
import { createRemind } from './tools/remind.ts';

export interface SchedulingParts {
  readonly core: readonly Tool[];
  readonly scheduler: readonly Tool[];
  readonly service: Service;
  readonly commands: { readonly [name: string]: PluginCommand };
  /** Files that pending schedules mention. */
  readonly mentions: () => Promise<readonly FileMentions[]>;
}

/** Milliseconds without a check of the schedules after which a host counts as stopped: a little over two rounds. */
const hostTimeoutMs = 75_000;

export function createSchedulingParts(
  context: PluginContext<any>,
  clock: Clock = context.surroundings.clock,
): SchedulingParts {
  const database = context.database<ScheduleTables>(migrations);
  let opened: ScheduleStore | undefined;
  let wake = (): void => {};
  const now = (): string => new Date(clock.now()).toISOString();
  const store = async (): Promise<ScheduleStore> =>
    (opened ??= (await import('./store.ts')).createScheduleStore(database));

  const scheduling: Scheduling = {
    timezone: context.timezone,
    get channels() {
      return context.channels;
    },
    clock,
    store,
    async create(request, origin) {
      const { createSchedule } = await import('./schedules.ts');
      const created = await createSchedule(request, origin, { context, store: await store(), clock });
      wake();
      return created;
    },
    async cancel(id) {
      const cancelled = await (await store()).cancel(id);
      wake();
      return cancelled;
    },
    pause: async (id) => await (await store()).pause(id, now()),
    async resume(id) {
      const resumed = await (await store()).resume(id, now());
      wake();
      return resumed;
    },
    async askToRun(id) {
      const asked = await (await store()).askToRun(id, now());
      wake();
      return asked;
    },
    async describe(schedule) {
      return (await import('./describe.ts')).describeSchedule(schedule, clock.now());
    },
    warning: async () => warningOf(await (await store()).lastSeen(), clock),
  };

  /** What is due next, for the owner. */
  const reportNext = async (): Promise<void> => {
    const { whatIsNext } = await import('./describe.ts');
    const next = whatIsNext(await (await store()).list('active'), clock.now());
    if (next !== undefined) context.report({ name: 'schedules', status: 'ok', message: next });
  };

  const service: Service = {
    name: 'scheduler',
    async start() {
      const [{ startScheduler }, { createClaims }, { createPerform }] = await Promise.all([
        import('./scheduler.ts'),
        import('./claims.ts'),
        import('./perform.ts'),
      ]);
      const engine = await context.engine();
      const scheduler = await startScheduler({
        store: await store(),
        engine,
        claims: createClaims(database, engine),
        perform: createPerform(context.converse),
        deliver: context.deliver,
        history: context.history,
        clock,
        log: context.log,
      });
      wake = () => scheduler.wake();
      await reportNext();
      return scheduler;
    },
  };

  return {
    core: [
      createScheduleCreate(scheduling, 'schedule_create'),
      createScheduleList(scheduling),
      createScheduleCancel(scheduling, 'schedule_cancel'),
    ],
    scheduler: [
      createScheduleCreate(scheduling, 'schedule'),
      createScheduleCancel(scheduling, 'cancel_schedule'),
      createRemind(scheduling),
    ],
    service,
    commands: scheduleCommands(scheduling),
    async mentions() {
      const { foldersOf, inProse } = await import('../background/mentions.ts');
      const active = await (await store()).list('active');
      return active
        .filter(({ kind }) => kind === 'instruction')
        .map(({ text, agent }) => inProse(text, foldersOf(context, agent ?? undefined)));
    },
  };
}

/** Undefined: a host runs the schedules. */
const warningOf = (seen: number | undefined, clock: Clock): string | undefined =>
  seen !== undefined && Math.abs(clock.now() - seen) <= hostTimeoutMs
    ? undefined
    : `No host is running: schedules run only while \`${pegboard} start\` does.`;
