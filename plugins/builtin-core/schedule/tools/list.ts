import { defineTool, markUntrusted, textResult, type Tool } from 'pegboard';
import { maySee, readOrigins } from '../../background/origin.ts';
import type { Scheduling } from '../scheduling.ts';
import { scheduleItem } from './structure.ts';

export function createScheduleList(scheduling: Scheduling): Tool {
  return defineTool({
    name: 'schedule_list',
    title: 'List schedules',
    description: 'Lists schedules and reminders: number, when they are due next, and what they do.',
    category: 'schedules',
    aliases: ['list reminders'],
    tags: ['cron', 'reminders', 'planned', 'upcoming'],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    timeout: 10,
    parameters: {
      type: 'object',
      additionalProperties: false,
      properties: {
        all: { type: 'boolean', default: false, description: 'Also those that are done or cancelled.' },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['schedules'],
      properties: {
        schedules: { type: 'array', items: scheduleItem },
        warning: { type: 'string', description: 'Why none of them runs now.' },
      },
    },
    examples: [{ input: {} }],
    async execute({ all = false }, call) {
      const schedules = (await (await scheduling.store()).list(all ? 'all' : 'active')).filter((schedule) =>
        maySee(call, schedule),
      );
      const lines = await Promise.all(schedules.map((schedule) => scheduling.describe(schedule)));
      if (lines.length === 0) lines.push(all ? 'There are no schedules.' : 'No schedule is active.');
      const warning = schedules.length > 0 ? await scheduling.warning() : undefined;
      if (warning !== undefined) lines.push(warning);
      const { toScheduleItem } = await import('./to-schedule-item.ts');
      const items = schedules.map((schedule) => toScheduleItem(schedule, scheduling.clock.now()));
      const structure = { schedules: items, ...(warning !== undefined && { warning }) };
      const result = textResult(lines.join('\n'), structure);
      const origin = schedules.flatMap(({ untrusted }) => readOrigins(untrusted)).at(-1);
      return origin ? markUntrusted(result, origin) : result;
    },
  });
}
