import { textResult, type ToolResult } from 'pegboard';
import type { Created } from '../schedules.ts';
import type { Scheduling } from '../scheduling.ts';

/** What a model gets to read, and the number as structured content. */
export async function afterCreation(
  scheduling: Scheduling,
  { schedule, isDuplicate }: Created,
): Promise<ToolResult> {
  const described = await scheduling.describe(schedule);
  const lines = isDuplicate
    ? [
        `Nothing was created, because there is one like it already. ${described}`,
        'If it is really meant twice, repeat the call with allow_duplicate: true.',
      ]
    : [`Created. ${described}`];
  const warning = await scheduling.warning();
  if (warning !== undefined) lines.push(warning);
  return { ...textResult(lines.join('\n')), structured: { id: schedule.id, created: !isDuplicate } };
}
