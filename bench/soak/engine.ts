import { loadavg } from 'node:os';
import { runChaos, type ChaosPlan } from '../../test/kit/engine/chaos/chaos.ts';
import { judge, type Times } from '../../test/kit/engine/chaos/judge.ts';
import { hasPostgres } from '../../test/kit/postgres-programs.ts';
import type { SoakTally } from './run.ts';

const size = { conversations: 200, messages: 20, schedules: 30 };

const plans: Readonly<Record<string, ChaosPlan>> = {
  'queues on SQLite, kills': { store: 'sqlite', hosts: 1, size, feedMs: 80_000, kills: 20 },
  'queues on Postgres, kills and freezes': {
    store: 'postgres',
    hosts: 3,
    size,
    feedMs: 80_000,
    kills: 20,
    freezes: 5,
  },
  'queues on Postgres, cuts and crashes': {
    store: 'postgres',
    hosts: 3,
    size,
    feedMs: 120_000,
    kills: 10,
    freezes: 1,
    cuts: 6,
    crashes: 3,
  },
};

/** Milliseconds. */
const limits = { takeoverMedian: 12_000, takeover: 15_000, roleGap: 15_000, recovery: 10_000 };
/** Of the runs of schedules. */
const maxUncertain = 0.01;

/** Kills, freezes and cuts off hosts that share queues, and crashes their database. */
export async function disturbEngine({ counts, failures }: SoakTally): Promise<void> {
  for (const [name, plan] of Object.entries(plans)) {
    if (plan.store === 'postgres' && !hasPostgres) {
      failures.push(`${name}: Postgres is not installed`);
      continue;
    }
    const found = judge(await runChaos(plan));
    const { wrongs, takeover, roleGap, recovery, late } = found;
    for (const [what, times] of Object.entries(wrongs))
      if (times > 0) failures.push(`${name}: ${what} ${times} times`);
    const uncertain = found.occurrencesUncertain / found.occurrences;
    const figures = [
      ['median of the takeovers', takeover.p50, limits.takeoverMedian],
      ['longest takeover', takeover.max, limits.takeover],
      ['longest time without the role', roleGap.max, limits.roleGap],
      ['longest recovery from a crash of the database', recovery.max, limits.recovery],
      ['% of the runs uncertain', uncertain * 100, maxUncertain * 100],
    ] as const;
    for (const [what, value, most] of figures)
      if (value > most) failures.push(`${name}: ${what}: ${value.toFixed(1)}, of at most ${most}`);
    counts.set(`${name}: messages`, found.messages);
    counts.set(`${name}: messages uncertain`, found.messagesUncertain);
    counts.set(`${name}: runs of schedules`, found.occurrences);
    counts.set(`${name}: runs uncertain`, found.occurrencesUncertain);
    counts.set(`${name}: writes refused`, found.refused);
    counts.set(`${name}: claims that never reached their host`, found.claimsUnanswered);
    console.log(
      `${name}: takeovers ${show(takeover)}, role ${show(roleGap)}, recovery ${show(recovery)}, runs late ${show(late)}; load ${loadavg()[0]!.toFixed(1)}`,
    );
    for (const [error, times] of Object.entries(found.errors)) console.log(`  ${times} × ${error}`);
  }
}

const show = ({ count, p50, max }: Times): string =>
  count === 0 ? 'none' : `p50 ${(p50 / 1000).toFixed(1)} s, max ${(max / 1000).toFixed(1)} s of ${count}`;
