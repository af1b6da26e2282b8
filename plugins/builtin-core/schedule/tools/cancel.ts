import { PegboardError, defineTool, textResult, type Tool } from 'pegboard';
import { maySee } from '../../background/origin.ts';
import type { Scheduling } from '../scheduling.ts';

/** The tool has different names in different packs. */
export function createScheduleCancel(
  scheduling: Scheduling,
  name: 'schedule_cancel' | 'cancel_schedule',
): Tool {
  return defineTool({
    name,
    ...(name === 'cancel_schedule' && { sameAs: 'core.schedule_cancel' }),
    title: 'Cancel schedule',
    description: 'Cancels a schedule or reminder by its number. schedule_list has the numbers.',
    category: 'schedules',
    tags: ['cron', 'reminder', 'stop', 'delete', 'remove'],
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    timeout: 10,
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['id'],
      properties: { id: { type: 'integer', minimum: 1, description: 'Its number.' } },
    },
    outputSchema: {
      type: 'object',
      required: ['id', 'cancelled'],
      properties: {
        id: { type: 'integer' },
        cancelled: { type: 'boolean', description: 'false: it was over already.' },
      },
    },
    examples: [{ input: { id: 3 } }],
    async execute({ id }, call) {
      const schedule = await (await scheduling.store()).find(id);
      if (!schedule || !maySee(call, schedule))
        throw new PegboardError('PEG_TOOL_FAILED', `There is no schedule ${id}. schedule_list lists them.`);
      const cancelled = await scheduling.cancel(id);
      const text = cancelled
        ? `Schedule ${id} ("${schedule.text}") is cancelled.`
        : `Schedule ${id} is over already.`;
      return textResult(text, { id, cancelled });
    },
  });
}
