import { defineTool, textResult, type Tool } from 'pegboard';
import { applyChange, prepareChange, type ChangePlan } from './edit/change.ts';
import type { FileAccess } from './access/file-access.ts';
import { explainFileErrors } from './file-error.ts';

export function createEdit(access: FileAccess): Tool {
  return defineTool({
    name: 'edit',
    title: 'Edit file',
    description:
      'Replaces exact text in a file that has been read. old_string must be in the file exactly once, unless replace_all is set: include enough of the surrounding lines.',
    category: 'files',
    tags: ['file', 'change', 'replace', 'modify', 'patch'],
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
    timeout: 10,
    recordsChanges: true,
    permission: { kind: 'path', argument: 'path' },
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['path', 'old_string', 'new_string'],
      properties: {
        path: {
          type: 'string',
          minLength: 1,
          description: 'The file, relative to the project or home.',
        },
        old_string: {
          type: 'string',
          minLength: 1,
          description: 'Exactly as in the file, with its indentation.',
        },
        new_string: { type: 'string', description: 'May be empty.' },
        replace_all: { type: 'boolean', default: false, description: 'Replace every occurrence.' },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['path', 'replaced', 'size'],
      properties: { path: { type: 'string' }, replaced: { type: 'integer' }, size: { type: 'integer' } },
    },
    examples: [
      { input: { path: 'src/app.ts', old_string: 'const port = 3000;', new_string: 'const port = 8080;' } },
    ],
    prepare: ({ path, old_string, new_string, replace_all = false }, caller) =>
      explainFileErrors(path, () =>
        prepareChange(access, path, caller, {
          kind: 'edit',
          from: old_string,
          to: new_string,
          all: replace_all,
        }),
      ),
    execute: ({ path }, call) =>
      explainFileErrors(path, async () => {
        const plan: ChangePlan = call.prepared!.plan!;
        await applyChange(access, plan, call);
        const { path: edited, replaced, after } = plan;
        return textResult(`Edited ${edited}${replaced > 1 ? ` (${replaced} places)` : ''}.`, {
          path: edited,
          replaced,
          size: after.length,
        });
      }),
  });
}
