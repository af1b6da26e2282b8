import { PegboardError, defineTool, textResult, type Tool } from 'pegboard';
import type { Remember } from '../remembering.ts';
import { memoryItem } from './structure.ts';

const maxCandidates = 10;

export function createMemoryForget(remember: Remember, timezone: string): Tool {
  return defineTool({
    name: 'memory_forget',
    title: 'Forget',
    description:
      'Forgets one memory by its number. With a query it only shows which memories are meant: then call it with the number of the right one. Past messages stay in the history, but those that the memory came from are no longer found.',
    category: 'memory',
    tags: ['delete', 'remove', 'archive', 'memory'],
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    timeout: 20,
    parameters: {
      type: 'object',
      additionalProperties: false,
      properties: {
        id: { type: 'integer', minimum: 1, description: 'Number of the memory.' },
        query: { type: 'string', minLength: 1, maxLength: 2_000, description: 'What the memory is about.' },
      },
    },
    outputSchema: {
      type: 'object',
      properties: {
        forgotten: { type: 'integer', description: 'With id: its number.' },
        candidates: { type: 'array', items: memoryItem, description: 'With query.' },
      },
    },
    examples: [{ input: { query: 'old address' } }, { input: { id: 12 } }],
    async execute({ id, query }, { signal }) {
      if ((id === undefined) === (query === undefined)) {
        throw new PegboardError(
          'PEG_INVALID_ARGUMENTS',
          'Pass one of the two: id forgets that memory, query finds the id of one.',
        );
      }
      const memory = await remember();
      const [{ archiveMemory, getMemory }, { showMemory }] = await Promise.all([
        import('../memories.ts'),
        import('../recall/show.ts'),
      ]);
      if (id !== undefined) {
        const archived = await archiveMemory(memory.database, id);
        if (!archived && !(await getMemory(memory.database, id))) {
          throw new PegboardError('PEG_INVALID_ARGUMENTS', `There is no memory #${id}. Find it with query.`);
        }
        return textResult(archived ? `Forgot #${id}.` : `#${id} was forgotten before.`, { forgotten: id });
      }
      const similarities = await memory.similarities(query!, signal);
      const candidates = await memory.recall(query!, { limit: maxCandidates, similarities });
      const lines = candidates.map((candidate) => showMemory(candidate, timezone));
      const text =
        lines.length > 0
          ? ['Nothing is forgotten yet. Call again with the id of the one that is meant:', ...lines].join(
              '\n',
            )
          : 'Nothing like that is remembered.';
      return textResult(text, { candidates });
    },
  });
}
