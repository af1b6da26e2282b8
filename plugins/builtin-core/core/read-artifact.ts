import { defineTool, markUntrusted, textResult, type Artifacts, type Tool } from 'pegboard';

const defaultLimit = 20_000;

export function createReadArtifact(artifacts: Artifacts): Tool {
  return defineTool({
    name: 'read_artifact',
    title: 'Read artifact',
    description: 'Reads a part of a result that was too long to show.',
    category: 'results',
    tags: ['output', 'page', 'truncated'],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    timeout: 10,
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['id'],
      properties: {
        id: { type: 'string', description: 'The id that the shortened result named.' },
        offset: { type: 'integer', minimum: 0, default: 0, description: 'First character to show, from 0.' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100_000,
          default: defaultLimit,
          description: 'Characters to show at most.',
        },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['id', 'content', 'offset', 'total'],
      properties: {
        id: { type: 'string' },
        content: { type: 'string' },
        offset: { type: 'integer' },
        total: { type: 'integer', description: 'Characters of the artifact.' },
      },
    },
    examples: [{ input: { id: 'q0TnB3x_a4M', offset: 20_000 } }],
    async execute({ id, offset = 0, limit = defaultLimit }) {
      const { text, total } = await artifacts.read(id, offset, limit);
      const end = offset + text.length;
      const note =
        offset >= total
          ? `the artifact has ${total} characters: nothing at offset ${offset}`
          : end < total
            ? `characters ${offset} to ${end} of ${total}; go on with offset ${end}`
            : `characters ${offset} to ${end}, the end`;
      const content = [...textResult(text).content, ...textResult(`[${note}]`).content];
      // The artifact doesn't record who wrote its text.
      const structured = { id, content: text, offset, total };
      return markUntrusted({ content, structured }, { kind: 'file', what: `artifact ${id}` });
    },
  });
}
