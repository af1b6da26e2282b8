import type { KnownChannel } from 'pegboard';
import type { Clock } from 'pegboard';
import type { StoredOrigin } from '../background/origin.ts';
import type { Created, ScheduleRequest } from './schedules.ts';
import type { Schedule, ScheduleStore } from './store.ts';

/** Shared services of tools and commands. Code is loaded on first use. */
export interface Scheduling {
  readonly timezone: string;
  readonly clock: Clock;
  store(): Promise<ScheduleStore>;
  /** Like createSchedule, and wakes the scheduler of this process. */
  create(request: ScheduleRequest, origin: StoredOrigin): Promise<Created>;
  /** The channels to which replies can be sent. */
  readonly channels: readonly KnownChannel[];
  cancel(id: number): Promise<boolean>;
  pause(id: number): Promise<boolean>;
  resume(id: number): Promise<boolean>;
  /** Runs it once more as soon as a host can, in this process at once. */
  askToRun(id: number): Promise<boolean>;
  describe(schedule: Schedule): Promise<string>;
  /** A warning when no host runs schedules. Undefined when one does. */
  warning(): Promise<string | undefined>;
}
