import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createUnusedHome } from '../../../kit/homes/home.ts';
import { randomFrom } from '../../../kit/data/random.ts';
import { rounds } from '../../../kit/run/tiers.ts';
import { sql } from 'kysely';
import { databaseOf, isOnPostgres } from '../../../kit/database.ts';

const program = join(import.meta.dirname, 'kit/storing-child.ts');
const times = rounds({ usual: 2, all: 8, soak: 8 });
const atOnce = 2;

interface Done {
  readonly stored?: number;
  readonly content?: string;
  readonly supersedes?: number;
  readonly forgotten?: number;
  readonly said?: number;
  readonly error?: string;
}

test(
  'of processes that are killed at any moment no acknowledged memory is lost, and nothing is half done',
  { timeout: 120_000 },
  async () => {
    await using home = await createUnusedHome();
    mkdirSync(join(home.path, 'data'));
    const random = randomFrom(4);
    const done: Done[] = [];
    for (let round = 0; round < times; round++) {
      const children = Array.from({ length: atOnce }, (_, at) =>
        killedAfter(home.path, `r${round}c${at}`, 1 + Math.floor(random() * 12), random() * 6),
      );
      done.push(...(await Promise.all(children)).flat());
      expect(done.filter(({ error }) => error !== undefined)).toEqual([]);
      await check(home.path, done);
    }
    expect(done.length).toBeGreaterThan(times * atOnce);
  },
);

/** The child's reports before it was killed: some milliseconds after a number of actions. */
async function killedAfter(
  home: string,
  name: string,
  things: number,
  milliseconds: number,
): Promise<Done[]> {
  const child = spawn(process.execPath, [program, home, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const done: Done[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    done.push(JSON.parse(line) as Done);
    if (done.length === things) void delay(milliseconds).then(() => child.kill('SIGKILL'));
  }
  await exited;
  return done;
}

/** Without the plugin, which would repair what it opens. */
async function check(home: string, done: readonly Done[]): Promise<void> {
  await using database = databaseOf(home);
  const open = await database.open();
  const column = async <T>(text: string): Promise<Set<T>> =>
    new Set(
      (await sql<Record<string, T>>`${sql.raw(text)}`.execute(open)).rows.map(
        (row) => Object.values(row)[0]!,
      ),
    );
  if (!isOnPostgres) expect(await column('pragma integrity_check')).toEqual(new Set(['ok']));
  const { rows } = await sql<{
    readonly id: number;
    readonly archived_at: string | null;
  }>`select id, content, archived_at, superseded_by from memory_memories`.execute(open);
  const memories = new Map(rows.map((row) => [row.id, row]));
  for (const { stored, content, supersedes, forgotten } of done) {
    if (stored !== undefined) expect(memories.get(stored)).toMatchObject({ content });
    if (supersedes !== undefined) expect(memories.get(supersedes)).toMatchObject({ superseded_by: stored });
    if (forgotten !== undefined) expect(memories.get(forgotten)!.archived_at).not.toBeNull();
  }
  // The index has exactly those that are remembered, the turns exactly the messages up to where they were indexed.
  const killed = isOnPostgres ? `words @@ '''kill'''::tsquery` : `memory_memories_fts match 'killed'`;
  expect(await column(`select rowid from memory_memories_fts where ${killed}`)).toEqual(
    await column('select id from memory_memories where archived_at is null and superseded_by is null'),
  );
  const said = await column<number>('select message_id from memory_turns');
  for (const { said: message } of done) if (message !== undefined) expect(said).toContain(message);
  expect(await column('select rowid from memory_turns_fts')).toEqual(said);
  expect(
    await column(`select message.id from messages message join memory_progress progress using (conversation_id)
            where message.state = 'done' and message.id <= progress.indexed_until`),
  ).toEqual(said);
}
