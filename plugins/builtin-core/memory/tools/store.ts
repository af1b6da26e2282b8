import { PegboardError, defineTool, textResult, type Tool } from 'pegboard';
import { readMoment } from '../../schedule/moment.ts';
import type { Remember } from '../remembering.ts';

export function createMemoryStore(remember: Remember, timezone: string): Tool {
  return defineTool({
    name: 'memory_store',
    title: 'Remember',
    description:
      'Remembers something beyond this conversation: a fact, a preference, a plan, one thing a call. Write it so that it can be understood alone: names instead of "he", dates instead of "tomorrow". When something remembered is no longer true, store the new version with supersedes.',
    category: 'memory',
    tags: ['remember', 'memorize', 'note', 'save', 'fact', 'preference'],
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    guarded: true,
    timeout: 20,
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['content'],
      properties: {
        content: {
          type: 'string',
          minLength: 1,
          maxLength: 10_000,
          pattern: '\\S',
          description: 'What to remember.',
        },
        category: {
          type: 'string',
          minLength: 1,
          maxLength: 50,
          description:
            'One word: fact, preference, person, plan, event, note … Default: that of what it supersedes, else note.',
        },
        tags: {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 50 },
          maxItems: 20,
          description: 'Other words that somebody may look for. Default: those of what it supersedes.',
        },
        expires_at: {
          type: 'string',
          description: `From when it is not worth remembering: 2026-05-01T09:00 (in ${timezone}), or "in 3 days".`,
        },
        supersedes: {
          type: 'integer',
          minimum: 1,
          description: 'Number of the memory that this one takes the place of.',
        },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['id', 'known'],
      properties: {
        id: { type: 'integer' },
        known: { type: 'boolean', description: 'true: it was remembered already.' },
      },
    },
    examples: [
      { input: { content: 'Anna is allergic to nuts', category: 'fact', tags: ['food', 'health'] } },
      {
        input: {
          content: 'The flat in Lisbon is booked until 3 May 2026',
          category: 'plan',
          expires_at: '2026-05-04',
        },
      },
    ],
    async execute({ content, category, tags, expires_at, supersedes }, { turn }) {
      const expiresAt = expires_at === undefined ? undefined : await readExpiry(expires_at, timezone);
      const memory = await remember();
      const source = turn && (await memory.lastUserMessage(turn.conversation.id));
      const { id, known } = await memory.store({
        content: content.trim(),
        category: category?.trim().toLowerCase(),
        tags: tags && [...new Set(tags.map((tag) => tag.trim()).filter(Boolean))],
        origin: 'told',
        expiresAt,
        sources: source ? [source.id] : [],
        supersedes,
      });
      const instead = supersedes === undefined ? '' : ` in the place of #${supersedes}`;
      return textResult(known ? `Already remembered as #${id}.` : `Remembered as #${id}${instead}.`, {
        id,
        known,
      });
    },
  });
}

async function readExpiry(written: string, timezone: string): Promise<string> {
  const { at: moment } = await readMoment(written, timezone, Date.now());
  if (moment > Date.now()) return new Date(moment).toISOString();
  throw new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `expires_at ${written} has passed, so it would be forgotten at once. Leave it out, or give a later moment.`,
  );
}
