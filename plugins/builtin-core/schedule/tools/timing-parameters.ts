import type { CatchUp } from '../tables.ts';

/** The arguments as a model writes them. */
export interface WrittenTiming {
  readonly run_at?: string | undefined;
  readonly cron_expression?: string | undefined;
  readonly timezone?: string | undefined;
  readonly catch_up?: CatchUp | undefined;
  readonly allow_duplicate?: boolean | undefined;
}

/** Parameters that schedules and reminders share. */
export function timingParameters(timezone: string) {
  return {
    run_at: {
      type: 'string',
      minLength: 1,
      description: `Once: 2026-05-01T09:00 (local, or with an offset: +02:00), "in 20 minutes" or "tomorrow at 9".`,
    },
    cron_expression: {
      type: 'string',
      minLength: 1,
      maxLength: 2_000,
      description: 'Again and again: "0 9 * * 1", "every other day at 9".',
    },
    timezone: {
      type: 'string',
      minLength: 1,
      description: `Of the times: "Europe/Berlin". Default: ${timezone}.`,
    },
    catch_up: {
      enum: ['run_once', 'skip', 'all'],
      description: 'For runs missed while Pegboard was off: one for all (default), none, or each.',
    },
    allow_duplicate: {
      type: 'boolean',
      default: false,
      description: 'Although an identical one exists.',
    },
  } as const;
}
