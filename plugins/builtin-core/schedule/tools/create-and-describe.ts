import { textResult, type StructuredResult, type ToolCall } from 'pegboard';
import { originOf } from '../../background/origin.ts';
import type { ScheduleRequest } from '../schedules.ts';
import type { Scheduling } from '../scheduling.ts';
import type { WrittenTiming } from './timing-parameters.ts';

/** Shown when a time of day was assumed because none was given. */
export const assumedTimeNotes = {
  noon: 'No time of day was given, so it is at noon.',
  now: 'No time of day was given, so it is at the time that it is now.',
} as const;

/** Text for the model, and the schedule's number as structured content. */
export async function createAndDescribe(
  scheduling: Scheduling,
  what: Pick<ScheduleRequest, 'kind' | 'text'>,
  { run_at: runAt, cron_expression: cron, timezone, catch_up: catchUp, allow_duplicate }: WrittenTiming,
  call: ToolCall,
): Promise<StructuredResult<{ readonly id: number; readonly created: boolean }>> {
  const request = { ...what, runAt, cron, timezone, catchUp, allowDuplicate: allow_duplicate };
  const { schedule, isDuplicate, assumed } = await scheduling.create(request, originOf(call));
  const described = await scheduling.describe(schedule);
  const lines = isDuplicate
    ? [
        `Nothing was created, because there is one like it already. ${described}`,
        'If it is really meant twice, repeat the call with allow_duplicate: true.',
      ]
    : [`Created. ${described}`];
  if (!isDuplicate && assumed) lines.push(assumedTimeNotes[assumed]);
  const warning = await scheduling.warning();
  if (warning !== undefined) lines.push(warning);
  return textResult(lines.join('\n'), { id: schedule.id, created: !isDuplicate });
}
