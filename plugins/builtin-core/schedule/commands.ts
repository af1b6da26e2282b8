import { PegboardError, type CommandCall, type KnownChannel, type PluginCommand, pegboard } from 'pegboard';
import { terminalChat } from 'pegboard/channels';
import { originOf } from '../background/origin.ts';
import type { Scheduling } from './scheduling.ts';
import { readWhen } from './read-when.ts';
import type { Schedule } from './store.ts';
import { isRule } from './is-rule.ts';

/** `pegboard schedule …` */
export function scheduleCommands(scheduling: Scheduling): { readonly [name: string]: PluginCommand } {
  return {
    'schedule list': async (call) => {
      const store = await scheduling.store();
      const schedules = await store.list(call.options['all'] === true ? 'all' : 'active');
      if (call.options['json']) return call.json(await listing(scheduling, schedules, call));
      for (const schedule of schedules) call.out(await scheduling.describe(schedule));
      if (schedules.length === 0) return call.out('There are no schedules.');
      const warning = await scheduling.warning();
      if (warning !== undefined) call.out(warning);
    },
    'schedule add': (call) => add(scheduling, call),
    'schedule cancel': async (call) => {
      const { id } = await scheduleNamed(scheduling, call);
      const cancelled = await scheduling.cancel(id);
      if (call.options['json']) return call.json({ id, cancelled });
      call.out(cancelled ? `Schedule ${id} is cancelled.` : `Schedule ${id} is over already.`);
    },
    'schedule pause': async (call) => {
      const { id } = await scheduleNamed(scheduling, call);
      const paused = await scheduling.pause(id);
      if (call.options['json']) return call.json({ id, paused });
      call.out(
        paused
          ? `Schedule ${id} is paused: \`${pegboard} schedule resume ${id}\` lets it run again.`
          : `Schedule ${id} is paused or over already.`,
      );
    },
    'schedule resume': (call) => resume(scheduling, call),
    'schedule run': (call) => runNow(scheduling, call),
    'schedule show': async (call) => {
      const schedule = await scheduleNamed(scheduling, call);
      const [last] = await (await scheduling.store()).runs(schedule.id, 1);
      if (call.options['json']) return call.json({ ...schedule, lastRun: last ?? null });
      call.out(await scheduling.describe(schedule));
      call.out(`catch-up ${schedule.catch_up}, created ${schedule.created_at} by ${schedule.creator}`);
      call.out(last ? await runLine(last, schedule) : 'It has not run yet.');
      if (last?.reply) call.out(last.reply);
    },
    'schedule runs': async (call) => {
      const store = await scheduling.store();
      const one = call.words.length === 0 ? undefined : await scheduleNamed(scheduling, call);
      const runs = await store.runs(one?.id, numberOf(call, 'limit', 20));
      if (call.options['json']) return call.json({ runs });
      const schedules = new Map((await store.list('all')).map((schedule) => [schedule.id, schedule]));
      for (const run of runs) call.out(await runLine(run, schedules.get(run.schedule_id)!));
      if (runs.length === 0) call.out('Nothing has run yet.');
    },
  };
}

/** For --json: each with its state in a word, when it is due next and its last run, and what is due in the days to come. */
async function listing(
  scheduling: Scheduling,
  schedules: readonly Schedule[],
  call: CommandCall,
): Promise<object> {
  const [store, { nextOf, stateOf, upcoming }] = await Promise.all([
    scheduling.store(),
    import('./upcoming.ts'),
  ]);
  const now = scheduling.clock.now();
  const last = new Map((await store.lastRuns()).map((run) => [run.schedule_id, run]));
  return {
    schedules: schedules.map((schedule) => ({
      ...schedule,
      status: stateOf(schedule),
      next: nextOf(schedule, now) ?? null,
      lastRun: last.get(schedule.id) ?? null,
    })),
    upcoming: upcoming(schedules, now, numberOf(call, 'days', 14)),
    warning: schedules.length === 0 ? null : ((await scheduling.warning()) ?? null),
  };
}

async function runNow(scheduling: Scheduling, call: CommandCall): Promise<void> {
  const { id, paused_at: pausedAt } = await scheduleNamed(scheduling, call);
  const asked = await scheduling.askToRun(id);
  if (!asked)
    throw new PegboardError(
      'PEG_USAGE',
      pausedAt === null
        ? `Schedule ${id} is over already.`
        : `Schedule ${id} is paused: \`${pegboard} schedule resume ${id}\` lets it run again.`,
    );
  if (call.options['json']) return call.json({ id, asked });
  call.out(`Schedule ${id} runs once more now; its plan stays as it is.`);
  const warning = await scheduling.warning();
  if (warning !== undefined) call.out(warning);
}

async function resume(scheduling: Scheduling, call: CommandCall): Promise<void> {
  const { id, run_at: runAt } = await scheduleNamed(scheduling, call);
  if (runAt !== null && Date.parse(runAt) < scheduling.clock.now())
    throw new PegboardError(
      'PEG_USAGE',
      `Schedule ${id} was due at ${runAt}, which has passed. \`${pegboard} schedule cancel ${id}\` removes it.`,
    );
  const resumed = await scheduling.resume(id);
  if (call.options['json']) return call.json({ id, resumed });
  if (!resumed) return call.out(`Schedule ${id} is not paused.`);
  call.out(await scheduling.describe((await (await scheduling.store()).find(id))!));
  const warning = await scheduling.warning();
  if (warning !== undefined) call.out(warning);
}

async function add(scheduling: Scheduling, call: CommandCall): Promise<void> {
  const { words, options, agent } = call;
  const [when = '', ...rest] = words;
  const text = rest.join(' ').trim();
  if (text === '')
    throw new PegboardError(
      'PEG_USAGE',
      `schedule add needs a time, and then what to do: ${pegboard} schedule add "tomorrow at 9" "Look at the mail".`,
    );
  await refuseUnquoted(words, scheduling.clock.now());
  const origin = originOf({
    scope: { identity: 'host', access: {}, ...(agent !== undefined && { agent }) },
    caller: 'cli',
    turn: undefined,
  });
  const [channel, chat] = textOf(options['to'])?.split('/', 2) ?? [];
  if (channel !== undefined && (chat ?? '') === '')
    throw new PegboardError('PEG_USAGE', '--to takes CHANNEL/CHAT, such as telegram/12345.');
  const known = scheduling.channels.find(({ name }) => name === channel);
  if (channel !== undefined && !known)
    throw new PegboardError(
      'PEG_USAGE',
      `There is no channel "${channel}" here. The channels are: ${scheduling.channels.map(({ name }) => name).join(', ')}.`,
    );
  const zone = textOf(options['timezone']) ?? scheduling.timezone;
  const created = await scheduling.create(
    {
      kind: options['message'] === true ? 'message' : 'instruction',
      text,
      ...(await readWhen(when, zone, scheduling.clock.now())),
      timezone: zone,
      catchUp: catchUpOf(textOf(options['catch-up'])),
      allowDuplicate: true,
      paused: options['paused'] === true,
    },
    { ...origin, chat: channel === undefined ? terminalChat : { channel, chat: chat! } },
  );
  if (options['json']) return call.json(created.schedule);
  call.out(await scheduling.describe(created.schedule));
  if (created.assumed)
    call.out((await import('./tools/create-and-describe.ts')).assumedTimeNotes[created.assumed]);
  if (known && !known.isConnected) call.out(notConnected(known));
  const warning = await scheduling.warning();
  if (warning !== undefined) call.out(warning);
}

/** A time of several words without quotes would be cut after the first. */
async function refuseUnquoted(words: readonly string[], now: number): Promise<void> {
  if (isRule(words[0]!)) return;
  const { timeInWords } = await import('./suggest-time.ts');
  const found = await timeInWords(words, now);
  if (!found) return;
  const text = words.slice(found.length).join(' ');
  throw new PegboardError(
    'PEG_USAGE',
    `A time of several words needs quotes. Did you mean: ${pegboard} schedule add "${found.time}" "${text}"?`,
  );
}

/** The running host may have other variables than this process. */
function notConnected({ name, plugin, variables }: KnownChannel): string {
  const why =
    variables.length === 0
      ? ''
      : ` The plugin ${plugin} reads ${variables.join(', ')}, which may not be set.`;
  return `${name} is not connected here. If it isn't where \`${pegboard} start\` runs either, answers of this schedule go to the terminal.${why}`;
}

const policies = ['run_once', 'skip', 'all'] as const;

function catchUpOf(text: string | undefined): (typeof policies)[number] | undefined {
  if (text === undefined) return undefined;
  const policy = policies.find((known) => known === text);
  if (policy) return policy;
  throw new PegboardError('PEG_USAGE', `--catch-up takes ${policies.join(', ')}, not "${text}".`);
}

const textOf = (option: string | true | undefined): string | undefined =>
  typeof option === 'string' ? option : undefined;

function numberOf({ options }: CommandCall, name: string, otherwise: number): number {
  const number = Number(textOf(options[name]) ?? otherwise);
  if (Number.isInteger(number) && number > 0) return number;
  throw new PegboardError('PEG_USAGE', `--${name} takes a whole number above 0.`);
}

async function scheduleNamed(scheduling: Scheduling, { words }: CommandCall): Promise<Schedule> {
  const id = Number(words[0]);
  const schedule = Number.isInteger(id) ? await (await scheduling.store()).find(id) : undefined;
  if (schedule) return schedule;
  throw new PegboardError(
    'PEG_USAGE',
    `There is no schedule "${words[0]}". \`${pegboard} schedule list --all\` lists them.`,
  );
}

async function runLine(
  run: Awaited<ReturnType<Awaited<ReturnType<Scheduling['store']>>['runs']>>[number],
  { timezone }: Schedule,
): Promise<string> {
  const [{ showMoment }, { deliveryOf }] = await Promise.all([
    import('./moment.ts'),
    import('./describe.ts'),
  ]);
  const missed = run.missed > 0 ? `, replaces ${run.missed} missed` : '';
  const parts = [
    `schedule ${run.schedule_id}, due ${showMoment(run.due_at, timezone)}: ${run.state}${missed}`,
    deliveryOf(run),
    run.error ?? '',
  ];
  return parts.filter((part) => part !== '').join('; ');
}
