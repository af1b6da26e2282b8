import type { ChaosRecord, Disturbance } from './chaos.ts';
import { intervalOf, queues, role, type LoadEvent } from './load.ts';

/** Each of these must be 0. */
export interface Wrongs {
  readonly messagesLost: number;
  readonly messagesAnsweredTwice: number;
  readonly messagesOutOfOrder: number;
  readonly messagesWithTwoEffects: number;
  /** Answered as done. */
  readonly messagesWithoutEffect: number;
  readonly occurrencesMissed: number;
  readonly occurrencesNotEnded: number;
  readonly occurrencesWithTwoEffects: number;
  /** Ended as done. */
  readonly occurrencesWithoutEffect: number;
  /** Of a host that another one had taken the job from, or that never had it. */
  readonly effectsWithoutClaim: number;
  readonly writesWithoutClaim: number;
  /** Holders of the role that wrote after another one had. */
  readonly roleWritesWithoutClaim: number;
}

export const nothingWrong: Wrongs = {
  messagesLost: 0,
  messagesAnsweredTwice: 0,
  messagesOutOfOrder: 0,
  messagesWithTwoEffects: 0,
  messagesWithoutEffect: 0,
  occurrencesMissed: 0,
  occurrencesNotEnded: 0,
  occurrencesWithTwoEffects: 0,
  occurrencesWithoutEffect: 0,
  effectsWithoutClaim: 0,
  writesWithoutClaim: 0,
  roleWritesWithoutClaim: 0,
};

/** Milliseconds. */
export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly max: number;
}

export interface Findings {
  readonly wrongs: Wrongs;
  readonly messages: number;
  readonly messagesUncertain: number;
  readonly occurrences: number;
  readonly occurrencesUncertain: number;
  readonly disturbances: Readonly<Record<Disturbance['kind'], number>>;
  /** From what happened to a host until another claim of its jobs, the next one that the database has given. */
  readonly takeover: Times;
  /** Claims that the database has given, but whose host died or was cut off before it got them. */
  readonly claimsUnanswered: number;
  /** Between the last write of a holder of the role and the first of the next one. */
  readonly roleGap: Times;
  /** From the moment when the server answers again until each host that lives has a job. */
  readonly recovery: Times;
  /** From the moment when an occurrence is due until it is claimed. */
  readonly late: Times;
  /** Attempts of hosts to write what they no longer had. */
  readonly refused: number;
  /** What failed and was tried again, and how often. */
  readonly errors: Readonly<Record<string, number>>;
}

/** Milliseconds by which lines of several processes may be in another order than what they report. */
const slackMs = 2;

export function judge(record: ChaosRecord): Findings {
  const { events, disturbances, answers, runs, roleWrites, plan, begunAt, fedAt } = record;
  const claims = new Map(
    Object.entries(
      Object.groupBy(
        events.filter(({ kind }) => kind === 'claim'),
        jobOf,
      ),
    ),
  ) as Map<string, LoadEvent[]>;
  for (const all of claims.values()) all.sort((one, other) => one.attempt! - other.attempt!);
  const effects = events.filter(({ kind }) => kind === 'effect');
  const effectsOf = (queue: string): Map<string, number> =>
    countBy(effects.filter((one) => one.queue === queue).map(({ what }) => what!));
  const inMessages = effectsOf(queues.messages.name);
  const inRuns = effectsOf(queues.runs.name);
  const answered = countBy(answers.map(({ conversation, n }) => `${conversation}/${n}`));
  const occurrences = occurrencesOf(plan.size.schedules, begunAt, fedAt);
  const ran = new Map(runs.map((run) => [`${run.schedule}/${run.due}`, run]));
  const judged = [...occurrences].map((one) => ran.get(one)).filter((run) => run !== undefined);
  const isTwice = (times: number): boolean => times > 1;
  return {
    wrongs: {
      messagesLost: plan.size.conversations * plan.size.messages - answered.size,
      messagesAnsweredTwice: [...answered.values()].filter(isTwice).length,
      messagesOutOfOrder: outOfOrder(answers),
      messagesWithTwoEffects: [...inMessages.values()].filter(isTwice).length,
      messagesWithoutEffect: answers.filter(
        ({ state, conversation, n }) => state === 'done' && !inMessages.has(`${conversation}/${n}`),
      ).length,
      occurrencesMissed: occurrences.size - judged.length,
      occurrencesNotEnded: judged.filter(({ state }) => state === 'open').length,
      occurrencesWithTwoEffects: [...inRuns.values()].filter(isTwice).length,
      occurrencesWithoutEffect: judged.filter(
        ({ state, schedule, due }) => state === 'done' && !inRuns.has(`${schedule}/${due}`),
      ).length,
      effectsWithoutClaim: effects.filter((one) => !hasClaim(one, claims.get(jobOf(one)) ?? [])).length,
      writesWithoutClaim: answers.filter(
        ({ job, attempt }) => claims.get(`${queues.messages.name}/${job}`)?.at(-1)?.attempt !== attempt,
      ).length,
      roleWritesWithoutClaim: returningHolders(roleWrites),
    },
    messages: answered.size,
    messagesUncertain: answers.filter(({ state }) => state === 'uncertain').length,
    occurrences: occurrences.size,
    occurrencesUncertain: judged.filter(({ state }) => state === 'uncertain').length,
    disturbances: {
      kill: disturbances.filter(({ kind }) => kind === 'kill').length,
      freeze: disturbances.filter(({ kind }) => kind === 'freeze').length,
      cut: disturbances.filter(({ kind }) => kind === 'cut').length,
      crash: disturbances.filter(({ kind }) => kind === 'crash').length,
    },
    takeover: timesOf(takeovers(claims.values(), disturbances)),
    claimsUnanswered: [...claims.values()].reduce(
      (sum, all) => sum + all.at(-1)!.attempt! - new Set(all.map(({ attempt }) => attempt)).size,
      0,
    ),
    roleGap: timesOf(roleGaps(events)),
    recovery: timesOf(recoveries(events, disturbances)),
    late: timesOf(judged.map(({ due, made_at }) => made_at - due)),
    refused: events.filter(({ kind }) => kind === 'refused').length,
    errors: Object.fromEntries(
      countBy(events.filter(({ kind }) => kind === 'error').map(({ what }) => what!.slice(0, 160))),
    ),
  };
}

const jobOf = ({ queue, job }: LoadEvent): string => `${queue}/${job}`;

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function timesOf(times: readonly number[]): Times {
  const sorted = times.toSorted((one, other) => one - other);
  return { count: sorted.length, p50: sorted[sorted.length >> 1] ?? 0, max: sorted.at(-1) ?? 0 };
}

function outOfOrder(answers: ChaosRecord['answers']): number {
  const last = new Map<number, number>();
  let wrong = 0;
  for (const { conversation, n } of answers) {
    if ((last.get(conversation) ?? -1) >= n) wrong++;
    last.set(conversation, n);
  }
  return wrong;
}

/** "SCHEDULE/DUE" of all that had to run. */
function occurrencesOf(schedules: number, begunAt: number, until: number): Set<string> {
  const all = new Set<string>();
  for (let id = 1; id <= schedules; id++) {
    const every = intervalOf(id, schedules);
    for (let due = begunAt + every; due <= until; due += every) all.add(`${id}/${due}`);
  }
  return all;
}

/** Whether its host had the job then. `claims`: of the job, in order. */
function hasClaim({ host, attempt, at }: LoadEvent, claims: readonly LoadEvent[]): boolean {
  const isOwn = claims.some((claim) => claim.attempt === attempt && claim.host === host);
  return isOwn && !claims.some((claim) => claim.attempt! > attempt! && claim.at < at - slackMs);
}

/** How often a holder of the role wrote after another one had written. */
function returningHolders(writes: ChaosRecord['roleWrites']): number {
  const gone = new Set<string>();
  let current: string | undefined;
  let wrong = 0;
  for (const { host, job, attempt } of writes) {
    const holder = `${host} ${job} ${attempt}`;
    if (holder === current) continue;
    if (gone.has(holder)) wrong++;
    if (current !== undefined) gone.add(current);
    current = holder;
  }
  return wrong;
}

function takeovers(
  claims: Iterable<readonly LoadEvent[]>,
  disturbances: readonly Disturbance[],
): readonly number[] {
  const times: number[] = [];
  for (const all of claims) {
    for (const [at, next] of all.entries()) {
      const before = all[at - 1];
      if (before?.attempt !== next.attempt! - 1) continue;
      const why = disturbances.find(
        ({ kind, host, at: from }) => kind !== 'crash' && host === before.host && from >= before.at - slackMs,
      );
      if (why && next.at > why.at) times.push(next.at - why.at);
    }
  }
  return times;
}

function roleGaps(events: readonly LoadEvent[]): readonly number[] {
  const acts = events.filter(({ kind, queue }) => kind === 'act' && queue?.endsWith(role));
  return acts
    .map((act, at) => ({ act, before: acts[at - 1] }))
    .filter(({ act, before }) => before && (before.host !== act.host || before.attempt !== act.attempt))
    .map(({ act, before }) => act.at - before!.at);
}

/** Of hosts to which nothing else happened shortly before the crash, or before they had to have recovered. */
function recoveries(events: readonly LoadEvent[], disturbances: readonly Disturbance[]): readonly number[] {
  const claims = events.filter(({ kind }) => kind === 'claim');
  const [beforeMs, afterMs] = [2_000, 12_000];
  return disturbances
    .filter(({ kind }) => kind === 'crash')
    .flatMap((crash) => {
      const before = claims.filter(({ at }) => at < crash.at && at > crash.at - beforeMs);
      const hosts = new Set(before.map(({ host }) => host));
      return [...hosts]
        .filter((host) =>
          disturbances.every(
            (other) =>
              other.host !== host || other.until < crash.at - beforeMs || other.at > crash.until + afterMs,
          ),
        )
        .map((host) => claims.find((claim) => claim.host === host && claim.at > crash.until))
        .map((first) => (first ? first.at - crash.until : Number.POSITIVE_INFINITY));
    });
}
