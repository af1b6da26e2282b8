import type { Kysely } from 'kysely';
import { addToGraph, type Facts } from './graph-store.ts';
import { selectAlive } from '../memories.ts';
import { objectsIn, textIn, toObject } from '../worker/read-json.ts';
import type { MemoryTables } from '../tables.ts';
import type { Worker } from '../worker/worker.ts';

type Db = Kysely<MemoryTables>;

const batchSize = 10;

const instructions = `You read single memories of an assistant and say which people, places, organisations, things and topics each names, and how they hang together. Use full names, the same name for the same thing, "user" for the user. Relations are short: "works at", "lives in", "sister of".
Answer with JSON only: {"1": {"entities": [{"name": "…", "kind": "person" | "place" | "organisation" | "thing" | "topic" | "event"}], "relations": [{"from": "…", "relation": "…", "to": "…"}]}, …} with the number of each memory.`;

export interface GraphScope {
  /** Only memories that were promoted from observations. `backfill` extracts all. */
  readonly promoted: boolean;
  readonly onDone?: (done: number, total: number) => void;
}

/** Adds memories that are not in the graph yet. Each is added exactly once, completely or not at all. */
export async function extractGraph(
  { database, worker }: { database: Db; worker: Worker },
  { promoted, onDone }: GraphScope,
): Promise<void> {
  const pending = await selectAlive(database)
    .select(['id', 'content'])
    .where('graphed_at', 'is', null)
    .$if(promoted, (query) => query.where('origin', '=', 'observed'))
    .orderBy('id')
    .execute();
  for (let start = 0; start < pending.length; start += batchSize) {
    const some = pending.slice(start, start + batchSize);
    const text = some.map(({ id, content }) => `${id}. ${content}`).join('\n');
    const answer = toObject(await worker.ask(instructions, text));
    for (const { id } of some) await addUnlessForgotten(database, id, toFacts(answer[String(id)]));
    onDone?.(start + some.length, pending.length);
  }
}

async function addUnlessForgotten(database: Db, memory: number, facts: Facts): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const there = await selectAlive(transaction)
      .select('id')
      .where('id', '=', memory)
      .where('graphed_at', 'is', null)
      .executeTakeFirst();
    if (there) await addToGraph(transaction, memory, facts);
  });
}

function toFacts(value: unknown): Facts {
  const { entities, relations } = toObject(value);
  return {
    entities: objectsIn(entities ?? []).flatMap((item) => {
      const name = textIn(item['name']);
      return name === undefined ? [] : { name, kind: textIn(item['kind']) ?? 'thing' };
    }),
    relations: objectsIn(relations ?? []).flatMap((item) => {
      const [from, relation, to] = [item['from'], item['relation'], item['to']].map(textIn);
      return from && relation && to ? { from, relation, to } : [];
    }),
  };
}
