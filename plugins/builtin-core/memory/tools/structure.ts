/** A memory for programs. Times are ISO 8601 in UTC. */
export const memoryItem = {
  type: 'object',
  required: ['id', 'content', 'category', 'tags', 'origin', 'createdAt'],
  properties: {
    id: { type: 'integer' },
    content: { type: 'string' },
    category: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    origin: { enum: ['told', 'observed'] },
    createdAt: { type: 'string' },
    expiresAt: { type: 'string' },
    archivedAt: { type: 'string' },
    supersededBy: { type: 'integer' },
    similarity: { type: 'number', description: 'To the question, up to 1.' },
  },
} as const;

/** A message of a past conversation. */
export const messageItem = {
  type: 'object',
  required: ['id', 'role', 'at', 'source', 'text'],
  properties: {
    id: { type: 'integer' },
    role: { enum: ['user', 'assistant'] },
    at: { type: 'string' },
    source: { type: 'string' },
    text: { type: 'string' },
  },
} as const;

export const nodeItem = {
  type: 'object',
  required: ['id', 'name', 'kind'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, kind: { type: 'string' } },
} as const;

export const edgeItem = {
  type: 'object',
  required: ['from', 'relation', 'to', 'memory'],
  properties: {
    from: { type: 'string' },
    relation: { type: 'string' },
    to: { type: 'string' },
    memory: { type: 'integer', description: 'Number of the memory that says so.' },
  },
} as const;
