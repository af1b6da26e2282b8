import { visibleText } from 'pegboard/channels';
import { sql, type Kysely } from 'kysely';
import type { MemoryTables } from '../tables.ts';

type Db = Kysely<MemoryTables>;

/** What a memory says, as extracted by the worker model. */
export interface Facts {
  readonly entities: readonly { readonly name: string; readonly kind: string }[];
  readonly relations: readonly { readonly from: string; readonly relation: string; readonly to: string }[];
}

/** Replaces the entries of a memory in the graph. Part of the caller's transaction. */
export async function addToGraph(transaction: Db, memory: number, written: Facts): Promise<void> {
  const facts = visible(written);
  await removeFromGraph(transaction, memory);
  const ids = new Map<string, number>();
  const named = [
    ...facts.entities,
    ...facts.relations.flatMap(({ from, to }) => [from, to].map((name) => ({ name, kind: 'thing' }))),
  ];
  for (const { name, kind } of named) {
    const key = keyOf(name);
    if (key !== '' && !ids.has(key)) ids.set(key, await nodeFor(transaction, { key, name, kind }));
  }
  for (const node of new Set(ids.values())) {
    await transaction
      .insertInto('memory_graph_mentions')
      .values({ node_id: node, memory_id: memory })
      .execute();
  }
  for (const { from, relation, to } of facts.relations) {
    const [start, end] = [ids.get(keyOf(from)), ids.get(keyOf(to))];
    if (start === undefined || end === undefined || start === end) continue;
    await transaction
      .insertInto('memory_graph_edges')
      .values({ from_id: start, to_id: end, relation: relation.trim().toLowerCase(), memory_id: memory })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await transaction
    .updateTable('memory_memories')
    .set({ graphed_at: new Date().toISOString() })
    .where('id', '=', memory)
    .execute();
}

/** Without invisible characters. */
const visible = ({ entities, relations }: Facts): Facts => ({
  entities: entities.map(({ name, kind }) => ({ name: visibleText(name), kind: visibleText(kind) })),
  relations: relations.map(({ from, relation, to }) => ({
    from: visibleText(from),
    relation: visibleText(relation),
    to: visibleText(to),
  })),
});

/** Nodes that no other memory mentions are deleted too. */
export async function removeFromGraph(transaction: Db, memory: number): Promise<void> {
  await transaction.deleteFrom('memory_graph_edges').where('memory_id', '=', memory).execute();
  const { rows } = await sql<{ id: number }>`
    delete from memory_graph_mentions where memory_id = ${memory} returning node_id as id`.execute(
    transaction,
  );
  if (rows.length === 0) return;
  await sql`
    delete from memory_graph_nodes where id in (${sql.join(rows.map(({ id }) => id))})
    and not exists (select 1 from memory_graph_mentions mention where mention.node_id = memory_graph_nodes.id)`.execute(
    transaction,
  );
}

async function nodeFor(
  transaction: Db,
  node: { readonly key: string; readonly name: string; readonly kind: string },
): Promise<number> {
  const { id } = await transaction
    .insertInto('memory_graph_nodes')
    .values({ key: node.key, name: node.name.trim(), kind: node.kind.trim().toLowerCase(), vector: null })
    .onConflict((conflict) => conflict.column('key').doUpdateSet((eb) => ({ key: eb.ref('excluded.key') })))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A name normalized for comparison. */
export const keyOf = (name: string): string => name.trim().toLowerCase().replace(/\s+/g, ' ');
