import { defineTool, textResult, type Tool } from 'pegboard';
import { checkFileNames } from 'pegboard/files';
import { applyChange, prepareChange, type ChangePlan } from './edit/change.ts';
import type { FileAccess } from './access/file-access.ts';
import { explainFileErrors } from './file-error.ts';

export function createWrite(access: FileAccess): Tool {
  return defineTool({
    name: 'write',
    title: 'Write file',
    description:
      'Writes a whole text file: creates it, with its folders, or replaces what is in it. A file that exists must be read first. To change a part of a file, use edit.',
    category: 'files',
    tags: ['file', 'create', 'save', 'overwrite', 'new'],
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
    timeout: 10,
    recordsChanges: true,
    permission: { kind: 'path', argument: 'path' },
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['path', 'content'],
      properties: {
        path: {
          type: 'string',
          minLength: 1,
          description: 'The file, relative to the project or home.',
        },
        content: { type: 'string', description: 'Everything that the file will hold.' },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['path', 'created', 'size'],
      properties: { path: { type: 'string' }, created: { type: 'boolean' }, size: { type: 'integer' } },
    },
    examples: [{ input: { path: 'notes/todo.md', content: '# To do\n' } }],
    prepare: ({ path, content }, caller) =>
      explainFileErrors(path, () => {
        checkFileNames(path);
        return prepareChange(access, path, caller, { kind: 'write', content });
      }),
    execute: ({ path }, call) =>
      explainFileErrors(path, async () => {
        const plan: ChangePlan = call.prepared!.plan!;
        await applyChange(access, plan, call);
        const { path: written, after, lines } = plan;
        const created = plan.before === undefined;
        return textResult(
          `${created ? 'Created' : 'Replaced'} ${written} (${lines}, ${after.length} bytes).`,
          { path: written, created, size: after.length },
        );
      }),
  });
}
