import { defineTool, identityFiles, textResult, type AgentDirectory, type Tool } from 'pegboard';
import type { FileAccess } from '../filesystem/access/file-access.ts';
import { identityParts, identityPath } from './files.ts';

export function createIdentityRead(agents: AgentDirectory, access: FileAccess): Tool {
  return defineTool({
    name: 'identity_read',
    title: 'Read identity',
    description:
      'Reads who you are: soul (character and style), identity (name and role), user (whom you talk with). All of them without file.',
    category: 'identity',
    tags: ['personality', 'soul', 'user', 'profile'],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    timeout: 10,
    parameters: {
      type: 'object',
      additionalProperties: false,
      properties: { file: { enum: identityParts, description: 'Only this one.' } },
    },
    outputSchema: {
      type: 'object',
      required: ['files'],
      properties: {
        files: {
          type: 'array',
          items: {
            type: 'object',
            required: ['file', 'path', 'content'],
            properties: {
              file: { type: 'string' },
              path: { type: 'string' },
              content: { type: ['string', 'null'], description: 'null: there is no such file.' },
            },
          },
        },
      },
    },
    examples: [{ input: { file: 'user' } }],
    async execute({ file }, { scope, caller }) {
      const parts = file === undefined ? identityParts : [file];
      const content = [];
      const files = [];
      for (const part of parts) {
        const path = identityPath(agents, scope, part);
        const text = await readNoted(access, path, caller);
        files.push({ file: part, path, content: text ?? null });
        content.push(...textResult(`${identityFiles[part]}:\n${text ?? '(there is none)'}`).content);
      }
      return { content, structured: { files } };
    },
  });
}

/** Records the read, which permits an update. Undefined when there is no file. */
async function readNoted(access: FileAccess, path: string, caller: string): Promise<string | undefined> {
  const [{ openPath: reach }, { readWhole }] = await Promise.all([
    import('../filesystem/access/open-path.ts'),
    import('../filesystem/files.ts'),
  ]);
  using reached = reach(access.roots, path);
  if (!reached.stats) return undefined;
  const { bytes, state } = await readWhole(reached);
  access.reads.note(caller, reached.path, state);
  return bytes.toString('utf8');
}
