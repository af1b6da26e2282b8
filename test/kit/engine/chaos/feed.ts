import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { intervalOf, type LoadSize, type LoadTables } from './load.ts';

/** Milliseconds that the hosts get to end all work after the last message. */
const patienceMs = 120_000;

/** What is stored at the end. */
export interface StoredLoad {
  /** In the order in which they were written. */
  readonly answers: readonly {
    readonly conversation: number;
    readonly n: number;
    readonly state: 'done' | 'uncertain';
    readonly job: string;
    readonly attempt: number;
    readonly host: string;
  }[];
  readonly runs: readonly {
    readonly schedule: number;
    readonly due: number;
    readonly state: 'open' | 'done' | 'uncertain';
    readonly made_at: number;
  }[];
  /** In the order in which they were written. */
  readonly roleWrites: readonly { readonly host: string; readonly job: string; readonly attempt: number }[];
}

/** Adds the schedules, and messages evenly over the time, whatever happens to the server meanwhile. */
export async function feed(
  db: LoadTables,
  { conversations, messages, schedules }: LoadSize,
  { begunAt, forMs }: { readonly begunAt: number; readonly forMs: number },
): Promise<void> {
  for (let id = 1; id <= schedules; id++)
    await insisting(() =>
      sql`insert into load_schedules values (${id}, ${intervalOf(id, schedules)}, ${begunAt})
        on conflict (id) do nothing`.execute(db),
    );
  const all = conversations * messages;
  for (let fed = 0; fed < all;) {
    const wanted = Math.min(all, Math.ceil((all * (Date.now() - begunAt)) / forMs));
    const rows = Array.from({ length: wanted - fed }, (_, at) => fed + at);
    // Round after round, a message for each conversation.
    const values = rows.map(
      (at) => sql`(${at + 1}, ${at % conversations}, ${Math.floor(at / conversations)})`,
    );
    if (rows.length > 0)
      await insisting(() =>
        sql`insert into load_updates values ${sql.join(values)} on conflict (id) do nothing`.execute(db),
      );
    fed = wanted;
    await delay(30);
  }
}

/** Until every message is answered, and every occurrence up to the moment has run. */
export async function untilSettled(db: LoadTables, size: LoadSize, until: number): Promise<void> {
  for (const late = performance.now() + patienceMs; performance.now() < late; await delay(200)) {
    const { rows } = await insisting(() =>
      sql<{ answers: number; open: number; behind: number }>`select
        (select count(*) from load_answers) as answers,
        (select count(*) from load_runs where state = 'open' and due <= ${until}) as open,
        (select count(*) from load_schedules where handled_until + every <= ${until}) as behind`.execute(db),
    );
    const [now] = rows as [{ answers: number; open: number; behind: number }];
    const isDone = now.answers >= size.conversations * size.messages;
    if (isDone && now.open === 0 && now.behind === 0) return;
  }
}

export async function readTables(db: LoadTables): Promise<StoredLoad> {
  const rowsOf = async <Row>(table: string, order: string): Promise<readonly Row[]> => {
    const query = sql<Row>`select * from ${sql.table(table)} order by ${sql.ref(order)}`;
    return (await insisting(() => query.execute(db))).rows;
  };
  return {
    answers: await rowsOf('load_answers', 'id'),
    runs: await rowsOf('load_runs', 'due'),
    roleWrites: await rowsOf('load_role_writes', 'id'),
  };
}

/** The server may have crashed. */
async function insisting<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const late = performance.now() + patienceMs; ; await delay(250)) {
    try {
      return await work();
    } catch (cause) {
      if (performance.now() > late) throw cause;
    }
  }
}
