import type { Generated } from 'kysely';

/** Times are ISO 8601 in UTC, so that they sort as text. Ids of messages and conversations are those of the history. */
export interface MemoryTables {
  readonly memory_memories: MemoriesTable;
  readonly memory_memories_fts: { readonly rowid: number; readonly content: string; readonly labels: string };
  readonly memory_sources: { readonly memory_id: number; readonly message_id: number };
  readonly memory_vectors: VectorsTable;
  readonly memory_reembedding: { readonly id: number; readonly done_until: number };
  readonly memory_progress: ProgressTable;
  readonly memory_observations: ObservationsTable;
  readonly memory_sessions: SessionsTable;
  readonly memory_sessions_fts: { readonly rowid: number; readonly text: string };
  readonly memory_turns: TurnsTable;
  readonly memory_turns_fts: { readonly rowid: number; readonly text: string; readonly grams: string };
  readonly memory_graph_nodes: NodesTable;
  readonly memory_graph_edges: EdgesTable;
  readonly memory_graph_mentions: { readonly node_id: number; readonly memory_id: number };
}

/** What is made from other tables. Each kind of database has its own. */
export const indexes: readonly string[] = [
  'memory_memories_fts',
  'memory_sessions_fts',
  'memory_turns_fts',
  'memory_vector_numbers',
];

/** A memory is recalled unless it is archived, superseded or expired. */
interface MemoriesTable {
  readonly id: Generated<number>;
  readonly content: string;
  readonly category: string;
  /** JSON of string[]. */
  readonly tags: string;
  /** `told`: stored by a call; `observed`: promoted from an observation. */
  readonly origin: 'told' | 'observed';
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly archived_at: string | null;
  /** The memory that replaced it. */
  readonly superseded_by: number | null;
  /** When its entities were added to the graph. */
  readonly graphed_at: string | null;
}

/** At most one row per memory. Rows are never updated, only replaced, so the greatest id changes with every new vector. */
interface VectorsTable {
  readonly id: Generated<number>;
  readonly memory_id: number;
  /** Float32 of length 1, little-endian. */
  readonly vector: Uint8Array;
}

/** How far a conversation has been processed. Both are ids of messages. */
interface ProgressTable {
  readonly conversation_id: number;
  readonly indexed_until: number;
  readonly observed_until: number;
}

export type Priority = 'high' | 'medium' | 'low';

interface ObservationsTable {
  readonly id: Generated<number>;
  readonly conversation_id: number;
  readonly text: string;
  readonly priority: Priority;
  readonly category: string;
  /** JSON of number[]: the messages that it was made from. */
  readonly sources: string;
  readonly created_at: string;
  /** 1: condensed from observations that the promoter has judged. */
  readonly condensed: number;
  /** When the promoter judged it. */
  readonly promoted_at: string | null;
  /** The memory that it was promoted to, or that said the same before. */
  readonly memory_id: number | null;
  /** When others replaced it, or it was forgotten. */
  readonly retired_at: string | null;
}

/** Messages of one conversation without a long pause between them. */
interface SessionsTable {
  readonly id: Generated<number>;
  readonly conversation_id: number;
  readonly source: string;
  readonly started_at: string;
  readonly last_at: string;
  readonly turns: number;
}

interface TurnsTable {
  readonly message_id: number;
  readonly session_id: number;
  /** From 0, without gaps. */
  readonly position: number;
  readonly role: 'user' | 'assistant';
  readonly at: string;
}

interface NodesTable {
  readonly id: Generated<number>;
  /** The name in lower case with single spaces. */
  readonly key: string;
  readonly name: string;
  readonly kind: string;
  readonly vector: Uint8Array | null;
}

/** A relation between two nodes, as stated by a memory: "Anna" "works at" "Acme". */
interface EdgesTable {
  readonly id: Generated<number>;
  readonly from_id: number;
  readonly to_id: number;
  readonly relation: string;
  readonly memory_id: number;
}
