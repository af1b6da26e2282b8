import { defineTool, textResult, type Tool } from 'pegboard';
import { checkFileNames } from 'pegboard/files';
import { applyChange, linesIn, prepareChange, type ChangePlan } from './edit/change.ts';
import { newTextForm, type DecodedText } from './content.ts';
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
        return prepareChange(access, path, caller, (_path, old) => rewrite(old, content));
      }),
    execute: ({ path, content }, call) =>
      explainFileErrors(path, async () => {
        const plan: ChangePlan = call.prepared!.plan!;
        await applyChange(access, plan, call);
        const { path: written, after } = plan;
        const created = plan.before === undefined;
        return textResult(
          `${created ? 'Created' : 'Replaced'} ${written} (${linesIn(content)}, ${after.length} bytes).`,
          { path: written, created, size: after.length },
        );
      }),
  });
}

/** A file keeps its encoding, its byte order mark and, if the new content has no CRLF, its CRLF line ends. */
function rewrite(old: DecodedText | undefined, content: string): DecodedText {
  const form = old?.form ?? newTextForm;
  const text =
    form.lineEnd === '\r\n' && !content.includes('\r') ? content.replaceAll('\n', '\r\n') : content;
  return { text, form };
}
