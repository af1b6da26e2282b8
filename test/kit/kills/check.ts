import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseFileOf } from '../../../host/store/database/file.ts';
import { openSecrets } from '../../../host/store/secrets/secrets.ts';
import { fileText, secretValue, type Done } from './done.ts';

export interface Findings {
  /** Descriptions of violations. */
  readonly violations: readonly string[];
  /** Occurrences of schedules that have run. */
  readonly fires: number;
  /** Number of interrupted ones. */
  readonly cutOff: number;
}

/**
 * Checks a home without running processes, only through SQLite, so that nothing is repaired by opening it with
 * Pegboard.
 */
export function checkHome(home: string, done: readonly Done[]): Findings {
  const violations: string[] = done.flatMap(({ error }) => (error === undefined ? [] : [error]));
  const expect = (holds: boolean, what: string): void => void (holds || violations.push(what));
  if (existsSync(databaseFileOf(home))) {
    using database = new DatabaseSync(databaseFileOf(home));
    checkDatabase(database, done, expect);
  } else expect(done.length === 0, 'the database is gone');
  checkFiles(home, done, expect);
  return { violations, ...checkRuns(home, expect) };
}

type Expect = (holds: boolean, what: string) => void;
type Row = { readonly [column: string]: unknown };

function checkDatabase(database: DatabaseSync, done: readonly Done[], expect: Expect): void {
  const rows = (sql: string): Row[] => database.prepare(sql).all();
  const integrity = rows('pragma integrity_check').map((row) => String(row['integrity_check']));
  expect(integrity.join() === 'ok', `integrity_check says ${integrity.join('; ')}`);
  if (done.length === 0) return;
  const byId = (table: string): Map<unknown, Row> =>
    new Map(rows(`select * from ${table}`).map((row) => [row['id'], row]));
  const [memories, messages, schedules] = ['memory_memories', 'messages', 'scheduler_schedules'].map(
    byId,
  ) as [Map<unknown, Row>, Map<unknown, Row>, Map<unknown, Row>];
  for (const one of done) {
    const { stored, content, supersedes, archived, said, text, scheduled, cancelled } = one;
    const report = JSON.stringify(one);
    if (stored !== undefined) expect(memories.get(stored)?.['content'] === content, `lost: ${report}`);
    if (supersedes !== undefined)
      expect(memories.get(supersedes)?.['superseded_by'] === stored, `lost: ${report}`);
    if (archived !== undefined)
      expect(typeof memories.get(archived)?.['archived_at'] === 'string', `lost: ${report}`);
    if (said !== undefined) expect(messages.get(said)?.['text'] === text, `lost: ${report}`);
    if (scheduled !== undefined) expect(schedules.get(scheduled)?.['text'] === text, `lost: ${report}`);
    if (cancelled !== undefined)
      expect(schedules.get(cancelled)?.['state'] === 'cancelled', `lost: ${report}`);
  }
  const ids = (sql: string): string =>
    rows(sql)
      .map((row) => row['id'])
      .join();
  expect(
    ids(
      "select rowid as id from memory_memories_fts where memory_memories_fts match 'killed' order by rowid",
    ) ===
      ids('select id from memory_memories where archived_at is null and superseded_by is null order by id'),
    'the index of memories has other ones than are remembered',
  );
}

function checkFiles(home: string, done: readonly Done[], expect: Expect): void {
  const secrets = openSecrets(join(home, 'data/secrets/secrets.json'), { onValue: () => {} });
  for (const { message } of secrets.diagnostics) expect(false, message);
  const newest = (key: 'secret' | 'file'): Map<string, number> =>
    new Map(done.flatMap((one) => (one[key] === undefined ? [] : [[one[key], one.version!] as const])));
  const holds = (text: string | undefined, version: number, write: (version: number) => string): boolean => {
    const found = Number(/\d+/.exec(text ?? '')?.[0]);
    return found >= version && text === write(found);
  };
  for (const [name, version] of newest('secret'))
    expect(holds(secrets.get(name), version, secretValue), `lost: version ${version} of the secret ${name}`);
  for (const [name, version] of newest('file'))
    expect(holds(read(join(home, name)), version, fileText), `lost or cut: version ${version} of ${name}`);
}

function checkRuns(home: string, expect: Expect): Pick<Findings, 'fires' | 'cutOff'> {
  const fires = (read(join(home, 'effects')) ?? '').split('\n').filter(Boolean);
  const twice = fires.filter((fire, at) => fires.indexOf(fire) !== at);
  expect(twice.length === 0, `ran twice: ${twice.join()}`);
  if (fires.length === 0) return { fires: 0, cutOff: 0 };
  using database = new DatabaseSync(databaseFileOf(home));
  // The effect of a reminder is its message.
  const runs = database
    .prepare(
      `select schedule_id, due_at, run.state from scheduler_runs run
       join scheduler_schedules schedule on schedule.id = schedule_id where kind = 'instruction'`,
    )
    .all();
  const states = new Map(
    runs.map((run) => [`${String(run['schedule_id'])} ${String(run['due_at'])}`, run['state']]),
  );
  for (const fire of fires)
    expect(
      ['done', 'running', 'uncertain'].includes(String(states.get(fire))),
      `${fire} has run and is written down as ${String(states.get(fire))}`,
    );
  const ran = new Set(fires);
  const cutOffCalls = database
    .prepare('select args from tool_calls where uncertain = 1')
    .all()
    .map(({ args }) => (JSON.parse(String(args)) as { readonly schedule?: number }).schedule);
  for (const [key, state] of states) {
    if (state !== 'done' || ran.has(key)) continue;
    // A turn that goes on after a kill doesn't repeat its call, and says so.
    const call = cutOffCalls.indexOf(Number(key.split(' ')[0]));
    expect(call !== -1, `${key} is done and has not run`);
    if (call !== -1) cutOffCalls.splice(call, 1);
  }
  return {
    fires: fires.length,
    cutOff: [...states.values()].filter((state) => state === 'uncertain').length,
  };
}

const read = (path: string): string | undefined =>
  existsSync(path) ? readFileSync(path, 'utf8') : undefined;
