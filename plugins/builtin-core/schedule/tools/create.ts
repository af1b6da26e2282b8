import { defineTool, type Tool } from 'pegboard';
import type { Scheduling } from '../scheduling.ts';
import { createAndDescribe } from './create-and-describe.ts';
import { createdSchedule } from './structure.ts';
import { timingParameters } from './timing-parameters.ts';

/** The tool has different names in different packs. */
export function createScheduleCreate(scheduling: Scheduling, name: 'schedule_create' | 'schedule'): Tool {
  return defineTool({
    name,
    ...(name === 'schedule' && { sameAs: 'core.schedule_create' }),
    title: 'Create schedule',
    description:
      'Has an agent do something later: once (run_at) or again and again (cron_expression). When it is due the instruction goes to the agent, and the answer to this chat. To have a plain text sent, use remind.',
    category: 'schedules',
    tags: ['cron', 'timer', 'later', 'recurring', 'every day', 'automation', 'job'],
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    guarded: true,
    timeout: 20,
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['instruction'],
      properties: {
        instruction: {
          type: 'string',
          minLength: 1,
          maxLength: 10_000,
          description: 'What the agent is to do then. It gets to see nothing else of this conversation.',
        },
        ...timingParameters(scheduling.timezone),
      },
    },
    outputSchema: createdSchedule,
    examples: [
      { input: { instruction: 'Sum up my unread mail', cron_expression: '0 8 * * 1-5' } },
      { input: { instruction: 'Check whether the build is green', run_at: 'in 20 minutes' } },
    ],
    execute({ instruction, ...timing }, call) {
      return createAndDescribe(scheduling, { kind: 'instruction', text: instruction }, timing, call);
    },
  });
}
