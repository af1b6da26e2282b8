import { defineTool, markUntrusted, textResult, type Tool } from 'pegboard';
import type { Remember } from '../remembering.ts';
import { memoryItem, messageItem } from './structure.ts';

export function createMemoryRecall(remember: Remember, timezone: string): Tool {
  return defineTool({
    name: 'memory_recall',
    title: 'Recall',
    description:
      'Finds what is remembered of something, and what was said of it in past conversations. Ask with names and the words that were probably used. Look here before saying that you do not know something of the user.',
    category: 'memory',
    tags: ['remember', 'memories', 'search', 'history', 'past', 'conversations', 'know'],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    timeout: 30,
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['query'],
      properties: {
        query: {
          type: 'string',
          minLength: 1,
          maxLength: 2_000,
          pattern: '\\S',
          description: 'A question, or words.',
        },
        category: { type: 'string', minLength: 1, description: 'Only memories of this category.' },
        tags: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          default: [],
          description: 'Only memories that have all of these tags.',
        },
        limit: { type: 'integer', minimum: 1, maximum: 50, default: 10, description: 'Memories at most.' },
        messages: {
          type: 'boolean',
          default: true,
          description: 'Also past messages; left out when category or tags are given.',
        },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['memories', 'messages'],
      properties: {
        memories: { type: 'array', items: memoryItem },
        messages: { type: 'array', items: messageItem },
      },
    },
    examples: [
      { input: { query: "Anna's allergies" } },
      { input: { query: 'When did we talk about the trip to Lisbon?', limit: 5 } },
    ],
    async execute({ query, category, tags = [], limit = 10, messages = true }, { turn, signal }) {
      const [memory, { showMemory }, { packEvidence }] = await Promise.all([
        remember(),
        import('../recall/show.ts'),
        import('../recall/pack.ts'),
      ]);
      const similarities = await memory.similarities(query, signal);
      const recalled = await memory.recall(query, {
        limit,
        category: category?.trim().toLowerCase(),
        tags,
        similarities,
      });
      const wantsMessages = messages && category === undefined && tags.length === 0;
      const evidence = wantsMessages ? await memory.evidence(query, recalled, turn?.conversation.id) : [];
      const past = packEvidence(evidence, query, timezone);
      const parts = [
        ...(recalled.length > 0
          ? [['Memories:', ...recalled.map((each) => showMemory(each, timezone))].join('\n')]
          : []),
        ...(past.messages.length > 0 ? [`Past messages:\n${past.text}`] : []),
      ];
      const found = past.messages.map(({ message: id, role, at, source, text }) => {
        return { id, role, at, source, text };
      });
      const result = textResult(parts.join('\n\n') || 'Nothing is remembered about that.', {
        memories: recalled,
        messages: found,
      });
      const origin = (await memory.context.history.originsOf(found.map(({ id }) => id))).at(-1);
      return origin ? markUntrusted(result, origin) : result;
    },
  });
}
