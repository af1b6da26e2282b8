import type { Transaction } from 'kysely';

/** A queue of jobs. All hosts of a home define the same ones. */
export interface QueueDefinition {
  readonly name: string;
  /** `key`: jobs with the same key run one after the other, in the order in which they were added. A retry keeps its place. */
  readonly order: 'none' | 'key';
  /** How often a job may begin before it is dead. */
  readonly attempts: number;
  /**
   * Seconds before a job that failed begins again: `first`, doubled each time up to `longest`. Default: at once. A job
   * whose host died always begins at once.
   */
  readonly backoff?: { readonly first: number; readonly longest: number };
  /** Days for which ended jobs can be found. */
  readonly keptDays: number;
}

export interface NewJob {
  readonly queue: string;
  /** JSON. */
  readonly data: unknown;
  /** Required in a queue that is ordered by key. */
  readonly key?: string;
  /** Begins not before this moment. Milliseconds since 1970; default: now. */
  readonly at?: number;
  /** Higher ones begin first, but never before an earlier job with the same key. Default: 0. */
  readonly priority?: number;
}

/** `dead`: it failed or lost its host too often. */
export type QueuedJobState = 'waiting' | 'running' | 'done' | 'cancelled' | 'dead';

export interface QueuedJob {
  readonly id: string;
  readonly queue: string;
  readonly key: string | undefined;
  readonly data: unknown;
  readonly state: QueuedJobState;
  /** 1 while it runs for the first time; 0 before. */
  readonly attempt: number;
  /** JSON; undefined: none. */
  readonly result: unknown;
}

/** A job that a host has taken. */
export type TakenJob = Omit<QueuedJob, 'state' | 'result'>;

export type JobOutcome =
  /** `result`: JSON. */
  | { readonly state: 'done'; readonly result?: unknown }
  /** Begins again after the queue's backoff; after the last attempt it is dead. */
  | { readonly state: 'retry'; readonly error: string }
  | { readonly state: 'dead'; readonly error: string };

/** Why a claim has ended: another host has the job, it was cancelled, this host stops, or the database can't be asked. */
export type ClaimEnd = 'taken' | 'cancelled' | 'stopping' | 'unknown';

/**
 * The right to work on a job. One host has it at a time. If `job.attempt` is above 1, only what earlier attempts wrote
 * is known of them: note what can't be undone before beginning it, and whoever finds the note without an end knows that
 * its outcome is uncertain.
 */
export interface Claim {
  readonly job: TakenJob;
  /** Aborts when the claim ends early, with PEG_CLAIM_LOST as its reason. */
  readonly signal: AbortSignal;
  /** Whether no other host can have the job. Ask right before doing what can't be undone. */
  isHeld(): boolean;
  /** Commits what `work` writes if the claim is still held. Otherwise throws PEG_CLAIM_LOST, and nothing is written. */
  write<Tables, Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result>;
  /** Ends the job in one transaction with what `work` writes. Throws PEG_CLAIM_LOST as `write` does. */
  end<Tables>(outcome: JobOutcome, work?: (transaction: Transaction<Tables>) => Promise<void>): Promise<void>;
}

/** When it resolves, the job is done, unless `end` said otherwise. When it rejects, the job is retried. */
export type JobHandler = (claim: Claim) => Promise<void>;

export interface WorkOptions {
  /** Maximum jobs of this queue at a time on this host. */
  readonly most: number;
  /** Milliseconds that running jobs get to end when the host stops; then they go to the next one. Default: 1,000. */
  readonly graceMs?: number;
}

/** A process that works on the home's jobs. */
export interface EngineHost {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly seenAt: string;
  /** Whether it was seen within the last ten seconds. */
  readonly isLive: boolean;
  readonly isThisOne: boolean;
  /** The roles that it holds. */
  readonly roles: readonly string[];
}

export interface QueueStatus {
  readonly name: string;
  readonly waiting: number;
  /** Of the waiting ones, those whose time has not come. */
  readonly later: number;
  readonly running: number;
  readonly dead: number;
  /** Seconds for which the oldest job that could begin has waited; 0: none waits. */
  readonly oldestSeconds: number;
}

/** What works on the home's jobs, and what waits. */
export interface EngineStatus {
  /** Also those that were seen within the last day and are gone without having said so. */
  readonly hosts: readonly EngineHost[];
  readonly queues: readonly QueueStatus[];
}

/**
 * Queues of jobs that survive any process, and are worked on by every host of the home. Jobs are stored in the home's own
 * database, so that a job can be added or ended in one transaction with other writes.
 */
export interface Engine extends AsyncDisposable {
  /** Creates the queues, or changes them to these. Call it before using them. */
  define(queues: readonly QueueDefinition[]): Promise<void>;
  transaction<Tables, Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result>;
  /** Adds a job as part of the transaction, and returns its id. */
  add<Tables>(transaction: Transaction<Tables>, job: NewJob): Promise<string>;
  /** Runs the queue's jobs until it is disposed; then what runs is aborted and left to other hosts. */
  work(queue: string, options: WorkOptions, handler: JobHandler): AsyncDisposable;
  /**
   * Runs `run` on exactly one host until it is disposed. Within 20 seconds after that host died, hung or lost the database,
   * another one begins it. It must end when its claim's signal aborts, and write through its claim.
   */
  role(name: string, run: JobHandler): AsyncDisposable;
  /** A waiting job never begins; a running one is told through its signal. False: it had ended. */
  cancel<Tables>(transaction: Transaction<Tables>, queue: string, id: string): Promise<boolean>;
  find(queue: string, id: string): Promise<QueuedJob | undefined>;
  hosts(): Promise<readonly EngineHost[]>;
  queues(): Promise<readonly QueueStatus[]>;
}
