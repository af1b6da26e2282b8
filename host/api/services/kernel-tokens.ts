import type { EngineStatus } from '../engine.ts';
import { defineToken } from './token.ts';

/** The host's own queues. */
export interface Queues {
  /** What waits in the queues of this home. Undefined: this process has not joined them. */
  status(): Promise<EngineStatus | undefined>;
}
/** Provided by the host. */
export const Queues = defineToken<Queues>('queues', 'queues');
