import type { NewJob, QueueDefinition } from '../../../host/api/engine.ts';

/** The data of a job: what its handler does. By default it ends the job and writes its attempt into the table "own". */
export interface Task {
  readonly name: string;
  readonly n: number;
  readonly does?: 'sleep' | 'fail' | 'die' | 'hold' | 'hang' | 'power-cut' | 'stop-in-transaction';
  /** Of "sleep". */
  readonly ms?: number;
}

export type Command =
  | { readonly do: 'define'; readonly queues: readonly QueueDefinition[] }
  | { readonly do: 'table' }
  | { readonly do: 'rows'; readonly name: string }
  | {
      readonly do: 'add';
      readonly jobs: readonly (NewJob & { readonly data: Task })[];
      readonly fails?: boolean;
    }
  | { readonly do: 'work'; readonly queue: string; readonly most: number; readonly graceMs?: number }
  | { readonly do: 'role'; readonly name: string }
  | { readonly do: 'stop'; readonly name: string }
  | { readonly do: 'cancel'; readonly queue: string; readonly job: string }
  | { readonly do: 'find'; readonly queue: string; readonly job: string }
  | { readonly do: 'hosts' }
  | { readonly do: 'queues' }
  | { readonly do: 'late' }
  | { readonly do: 'errors' }
  | { readonly do: 'close' };

interface AboutJob {
  readonly job: string;
  readonly attempt: number;
  readonly key: string | undefined;
  readonly name: string;
  readonly n: number;
}

export type HostEvent =
  | { readonly event: 'ready' }
  | { readonly event: 'answer'; readonly id: number; readonly value?: unknown; readonly error?: string }
  | (AboutJob & { readonly event: 'began' | 'ended' })
  | (AboutJob & { readonly event: 'aborted'; readonly why: string })
  | (AboutJob & { readonly event: 'wrote'; readonly outcome: string });
