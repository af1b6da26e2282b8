import type { Generated } from 'kysely';
import type { QuestionKind } from '../../api/ask.ts';
import type { Decision } from '../../api/questions.ts';
import type { ChannelTables } from './channel-tables.ts';
import type { PageTables } from './page-tables.ts';

/** The tables of pegboard.db as the newest migration leaves them. Times are ISO 8601 in UTC, JSON is text. */
export interface Tables extends ChannelTables, PageTables {
  readonly conversations: ConversationsTable;
  readonly messages: MessagesTable;
  readonly model_replies: ModelRepliesTable;
  readonly tool_calls: ToolCallsTable;
  readonly paused_calls: PausedCallsTable;
  readonly usage: UsageTable;
  readonly reservations: ReservationsTable;
  readonly embeddings: EmbeddingsTable;
  readonly jobs: JobsTable;
  readonly questions: QuestionsTable;
  readonly question_watchers: QuestionWatchersTable;
  /** On Postgres only. */
  readonly host_files: HostFilesTable;
  readonly artifacts: ArtifactsTable;
}

/** At most one with the same key is open: its `ended_at` is null. */
interface ConversationsTable {
  readonly id: Generated<number>;
  readonly source: string;
  readonly external_id: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  /** Null: it is called by its first message. */
  readonly title: Generated<string | null>;
  /** Where it was begun, absolute: a project, or another folder. Null: nowhere in particular, or nothing was said yet. */
  readonly folder: Generated<string | null>;
  /** The conversation that it goes on from, and the last message of that one which belongs to it. */
  readonly parent_id: Generated<number | null>;
  readonly parent_until: Generated<number | null>;
  /** Stands for the messages up to `summary_until`, which models don't read any more; null: for them stands nothing. */
  readonly summary: Generated<string | null>;
  readonly summary_until: Generated<number | null>;
  /** JSON of Origin[]; null: none. */
  readonly summary_untrusted: Generated<string | null>;
}

export type MessageState = 'done' | 'running' | 'interrupted';

interface MessagesTable {
  readonly id: Generated<number>;
  readonly conversation_id: number;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** JSON of Content[]. */
  readonly attachments: string | null;
  /** The channel's own id. */
  readonly external_id: string | null;
  readonly agent: string | null;
  readonly state: MessageState;
  /** Why the turn ended early. */
  readonly stopped: string | null;
  /** JSON of Origin[]; null: none. */
  readonly untrusted: string | null;
  /** The attempt that works on it, while it is running: see `newAttempt` in host/core/processes/owner.ts. */
  readonly owner: string | null;
  /** The key of a message that can be delivered again. */
  readonly turn_key: string | null;
  readonly created_at: string;
  /** What stood before the message, while its turn has not ended. */
  readonly preamble: Generated<string | null>;
  /** When its turn was last at work; null: not since it was opened. */
  readonly active_at: Generated<string | null>;
  /** How often its turn was begun or taken over. */
  readonly attempts: Generated<number>;
  /** How many processes have died during its turn. */
  readonly crashes: Generated<number>;
}

/** Replies of a model that made calls, until their turn has ended. */
interface ModelRepliesTable {
  readonly id: Generated<number>;
  readonly message_id: number;
  /** From 1 on. */
  readonly round: number;
  readonly text: string;
  /** JSON of StoredModelCall[]. */
  readonly calls: string;
  /** JSON of what the provider wants back with the reply. */
  readonly replay: string | null;
}

interface ToolCallsTable {
  readonly id: Generated<number>;
  readonly message_id: number;
  /** The model's own id. */
  readonly call_id: string;
  readonly tool: string;
  /** JSON. */
  readonly args: string;
  readonly result: string;
  readonly ok: number;
  readonly ms: number;
  /** 0: the call has begun, and may have had an effect. */
  readonly ended: number;
  /** The reply that made the call; null: not stored, in turns of earlier versions. */
  readonly round: Generated<number | null>;
  /** JSON of Content[], while its turn has not ended, where a model read more than the text of `result`. */
  readonly content: Generated<string | null>;
  /** 1: it had begun when its turn was interrupted, and whether it took effect is unknown. */
  readonly uncertain: Generated<number>;
}

/** Calls that wait for a person, and can go on in another process. */
interface PausedCallsTable {
  readonly message_id: number;
  readonly round: number;
  /** The model's own id. */
  readonly call_id: string;
  /** Of what can read `state`. */
  readonly version: string;
  readonly state: Uint8Array;
}

interface UsageTable {
  readonly id: Generated<number>;
  /** YYYY-MM-DD in the home's time zone. */
  readonly day: string;
  readonly at: string;
  readonly agent: string;
  readonly model: string;
  readonly source: string;
  readonly conversation_id: number | null;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** US dollars; null where the price is not known. */
  readonly cost: number | null;
}

/** Money reserved for running model calls. */
interface ReservationsTable {
  readonly id: Generated<number>;
  readonly day: string;
  readonly at: string;
  readonly agent: string;
  /** US dollars. */
  readonly amount: number;
  readonly owner: string;
}

interface EmbeddingsTable {
  readonly model: string;
  readonly hash: string;
  /** Float32, little-endian. */
  readonly vector: Uint8Array;
}

export type JobState = 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';

interface JobsTable {
  readonly id: Generated<number>;
  readonly tool: string;
  /** JSON. */
  readonly args: string;
  /** The agent or other caller that owns it. */
  readonly starter: string;
  readonly conversation_id: number | null;
  readonly state: JobState;
  /** JSON of the ToolResult, once the job has ended. */
  readonly result: string | null;
  /** The process that runs it, or announces its end. */
  readonly owner: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  /** Where its end is announced, together with `chat`; null: nowhere. */
  readonly channel: string | null;
  readonly chat: string | null;
  /** State of the announcement; null: not begun. */
  readonly announcement: 'sending' | 'delivered' | 'failed' | null;
  /** 1: its end was reported to the agent of its conversation. */
  readonly reported: Generated<number>;
  /** 1: its process is asked to stop it. */
  readonly cancel_asked: Generated<number>;
}

/** Processes in which somebody looks at the open questions. */
interface QuestionWatchersTable {
  readonly owner: string;
  readonly since: string;
}

/** Open and recent questions. */
interface QuestionsTable {
  readonly id: Generated<number>;
  readonly tool: string;
  readonly message: string;
  readonly kind: Generated<QuestionKind>;
  /** JSON of what it asks for: `schema`, `url` and `multiple` of OpenQuestion; null once it is over. */
  readonly asked: string | null;
  /** What would run; null once the question is over. */
  readonly detail: string | null;
  /** JSON of Choice[]. */
  readonly choices: string;
  /** JSON array of lines, such as where it would run; null once the question is over. */
  readonly notes: string | null;
  /** Where it was asked, and on whose behalf. */
  readonly asker: string;
  readonly agent: string | null;
  /** 1: nobody is present where it was asked. */
  readonly unattended: Generated<number>;
  /** Digest of everything that the answer covers. Its key is lost when the process ends. */
  readonly binding: string;
  /** The process that asked, the only one that can use the answer. */
  readonly owner: string;
  readonly asked_at: string;
  readonly expires_at: string;
  /** Null: open. `lost`: the process that asked has ended. */
  readonly decision: Decision | 'lost' | null;
  readonly decided_by: string | null;
  readonly decided_at: string | null;
  /** JSON of the answer; null for a confirmation, and once the process that asked has taken it. */
  readonly answer: string | null;
  /** When the process that asked took the answer; null: not yet. */
  readonly used_at: string | null;
}

/** What the files of a running host say. */
interface HostFilesTable {
  /** As the engine lists it. */
  readonly host: string;
  /** JSON: hashes by path. */
  readonly files: string;
  readonly noted_at: string;
}

/** On Postgres alone. */
interface ArtifactsTable {
  readonly id: string;
  readonly content: string;
  /** Of the content in UTF-8. */
  readonly bytes: number;
  readonly written_at: string;
}
