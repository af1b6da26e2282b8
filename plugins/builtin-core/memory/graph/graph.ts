import { visibleText } from 'pegboard/channels';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { keyOf } from './graph-store.ts';
import type { MemoryTables } from '../tables.ts';
import { dot, toUnit, toVector } from '../vectors/numbers.ts';
import { normalized } from '../words/words.ts';

type Db = Kysely<MemoryTables>;

export interface Node {
  readonly id: number;
  readonly name: string;
  /** Such as "person" or "place"; "thing" if unknown. */
  readonly kind: string;
}

export interface Edge {
  readonly from: string;
  readonly relation: string;
  readonly to: string;
  readonly memory: number;
}

/** The same as for recalling memories. */
const minSimilarity = 0.3;
/** Maximum number of steps of a connection. */
export const maxPathLength = 4;
const maxNodes = 1_000;

/** Nodes whose names match the words, names that begin with them first; by meaning too if a vector is given. */
export async function searchNodes(
  database: Db,
  query: string,
  limit: number,
  vector?: Float32Array,
): Promise<readonly Node[]> {
  const key = keyOf(query);
  const { rows: named } = await sql<Node>`
    select id, name, kind from memory_graph_nodes where instr(key, ${key}) > 0
    order by key = ${key} desc, instr(key, ${key}), length(key), id limit ${limit}`.execute(database);
  if (!vector || named.length >= limit) return named.map(visible);
  const known = new Set(named.map(({ id }) => id));
  const similar = (await similarNodes(database, vector)).filter(({ id }) => !known.has(id));
  return [...named, ...similar].slice(0, limit).map(visible);
}

/** Rows of older versions may contain invisible characters. */
const visible = (node: Node): Node => ({
  ...node,
  name: visibleText(node.name),
  kind: visibleText(node.kind),
});

async function similarNodes(database: Db, vector: Float32Array): Promise<readonly Node[]> {
  const query = toUnit(vector);
  const rows = await database
    .selectFrom('memory_graph_nodes')
    .select(['id', 'name', 'kind', 'vector'])
    .where('vector', 'is not', null)
    .execute();
  return rows
    .map(({ id, name, kind, vector: bytes }) => ({ node: { id, name, kind }, own: toVector(bytes!) }))
    .filter(({ own }) => own.length === query.length)
    .map(({ node, own }) => ({ node, similarity: dot(query, own) }))
    .filter(({ similarity }) => similarity >= minSimilarity)
    .sort((a, b) => b.similarity - a.similarity)
    .map(({ node }) => node);
}

/** The node with exactly this name, or else the best match of its words. */
export async function findNode(database: Db, name: string, vector?: Float32Array): Promise<Node | undefined> {
  return (await searchNodes(database, name, 1, vector))[0];
}

/** All relations of the node and of its neighbours, up to `depth` steps away, nearest first. */
export async function exploreFrom(
  database: Db,
  start: Node,
  depth: number,
  limit: number,
): Promise<readonly Edge[]> {
  const found = new Map<number, Edge>();
  const seen = new Set([start.id]);
  let front = [start.id];
  for (let step = 0; step < depth && front.length > 0 && found.size < limit; step++) {
    const edges = await edgesAt(database, front);
    front = [];
    for (const { id, from_id, to_id, ...edge } of edges) {
      found.set(id, edge);
      for (const node of [from_id, to_id]) {
        if (seen.has(node) || seen.size >= maxNodes) continue;
        seen.add(node);
        front.push(node);
      }
    }
  }
  return [...found.values()].slice(0, limit);
}

/** The shortest path between two nodes in either direction. Undefined when they are not connected. */
export async function connect(database: Db, start: Node, end: Node): Promise<readonly Edge[] | undefined> {
  if (start.id === end.id) return [];
  const cameBy = new Map<number, { readonly edge: Edge; readonly before: number }>();
  let front = [start.id];
  for (let step = 0; step < maxPathLength && front.length > 0 && cameBy.size < maxNodes; step++) {
    const next: number[] = [];
    const reached = new Set(front);
    for (const { from_id, to_id, id: _, ...edge } of await edgesAt(database, front)) {
      for (const [before, after] of [
        [from_id, to_id],
        [to_id, from_id],
      ] as const) {
        if (!reached.has(before) || after === start.id || cameBy.has(after)) continue;
        cameBy.set(after, { edge, before });
        next.push(after);
      }
    }
    if (cameBy.has(end.id)) return pathTo(end.id, start.id, cameBy);
    front = next;
  }
  return undefined;
}

function pathTo(
  end: number,
  start: number,
  cameBy: ReadonlyMap<number, { readonly edge: Edge; readonly before: number }>,
): readonly Edge[] {
  const path: Edge[] = [];
  for (let at = end; at !== start; at = cameBy.get(at)!.before) path.unshift(cameBy.get(at)!.edge);
  return path;
}

/** Memories that mention what the question names, then memories of its neighbours in the graph. */
export async function relatedMemories(database: Db, question: string): Promise<readonly number[]> {
  const asked = ` ${normalized(question)} `;
  const { rows } = await sql<{ memory: number }>`
    with named as (
      select id from memory_graph_nodes where length(key) >= 3 and instr(${asked}, ' ' || key || ' ') > 0 limit 20
    ), near as (
      select to_id as id from memory_graph_edges where from_id in (select id from named)
      union select from_id from memory_graph_edges where to_id in (select id from named)
    )
    select memory_id as memory, min(far) as far, count(*) as times from (
      select memory_id, node_id, 0 as far from memory_graph_mentions where node_id in (select id from named)
      union all
      select memory_id, node_id, 1 from memory_graph_mentions where node_id in (select id from near)
    ) as found group by memory_id order by far, times desc, memory_id desc limit 50`.execute(database);
  return rows.map(({ memory }) => memory);
}

/** The whole graph, its newest relations first. */
export async function wholeGraph(
  database: Db,
  limit: number,
): Promise<{ readonly nodes: readonly Node[]; readonly edges: readonly FoundEdge[] }> {
  const [nodes, edges] = await Promise.all([
    sql<Node>`select id, name, kind from memory_graph_nodes order by id desc limit ${limit}`.execute(
      database,
    ),
    selectEdges(database, sql`true`, sql`edge.id desc limit ${limit}`),
  ]);
  return { nodes: nodes.rows.map(visible), edges };
}

/** The relations that these memories state. */
export const relationsOf = (database: Db, memories: readonly number[]): Promise<readonly Edge[]> =>
  selectEdges(database, sql`edge.memory_id in (${sql.join(memories)})`, sql`edge.id`);

interface FoundEdge extends Edge {
  readonly id: number;
  readonly from_id: number;
  readonly to_id: number;
}

function edgesAt(database: Db, nodes: readonly number[]): Promise<readonly FoundEdge[]> {
  const ids = sql.join(nodes);
  const where = sql`edge.from_id in (${ids}) or edge.to_id in (${ids})`;
  return selectEdges(database, where, sql`edge.id limit ${maxNodes}`);
}

async function selectEdges(
  database: Db,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<readonly FoundEdge[]> {
  const { rows } = await sql<FoundEdge>`
    select edge.id, edge.from_id, edge.to_id, start.name as "from", edge.relation, stop.name as "to",
      edge.memory_id as memory
    from memory_graph_edges edge
    join memory_graph_nodes start on start.id = edge.from_id
    join memory_graph_nodes stop on stop.id = edge.to_id
    where ${where} order by ${order}`.execute(database);
  return rows.map((edge) => ({
    ...edge,
    from: visibleText(edge.from),
    relation: visibleText(edge.relation),
    to: visibleText(edge.to),
  }));
}
