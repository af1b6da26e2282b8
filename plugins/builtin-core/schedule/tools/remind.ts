import { defineTool, type Tool } from 'pegboard';
import type { Scheduling } from '../scheduling.ts';
import { createAndDescribe } from './create-and-describe.ts';
import { createdSchedule } from './structure.ts';
import { timingParameters } from './timing-parameters.ts';

export function createRemind(scheduling: Scheduling): Tool {
  return defineTool({
    name: 'remind',
    title: 'Remind',
    description:
      'Sends a text to this chat later: once (run_at) or again and again (cron_expression). The text is sent as it is; to have something done, use schedule_create.',
    category: 'schedules',
    tags: ['reminder', 'alarm', 'later', 'notify', 'cron'],
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    guarded: true,
    timeout: 20,
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['message'],
      properties: {
        message: { type: 'string', minLength: 1, maxLength: 4_000, description: 'What is sent.' },
        ...timingParameters(scheduling.timezone),
      },
    },
    outputSchema: createdSchedule,
    examples: [{ input: { message: 'Take the bread out of the oven', run_at: 'in 40 minutes' } }],
    execute: ({ message, ...timing }, call) =>
      createAndDescribe(scheduling, { kind: 'message', text: message }, timing, call),
  });
}
