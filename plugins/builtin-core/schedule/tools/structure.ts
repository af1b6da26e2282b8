/** What creating a schedule or reminder returns. */
export const createdSchedule = {
  type: 'object',
  required: ['id', 'created'],
  properties: {
    id: { type: 'integer' },
    created: { type: 'boolean', description: 'false: there was one like it, which has this id.' },
  },
} as const;

const textOrNull = { type: ['string', 'null'] } as const;

/** A schedule for programs. Times are ISO 8601 in UTC. */
export const scheduleItem = {
  type: 'object',
  required: [
    'id',
    'kind',
    'text',
    'state',
    'next_at',
    'run_at',
    'cron',
    'timezone',
    'agent',
    'channel',
    'chat',
  ],
  properties: {
    id: { type: 'integer' },
    kind: { enum: ['instruction', 'message'] },
    text: { type: 'string' },
    state: { enum: ['active', 'paused', 'done', 'cancelled'] },
    next_at: { ...textOrNull, description: 'null: it is not due any more, or not before it is resumed.' },
    run_at: { ...textOrNull, description: 'null: it is due by cron.' },
    cron: textOrNull,
    timezone: { type: 'string' },
    agent: textOrNull,
    channel: textOrNull,
    chat: textOrNull,
  },
} as const;
