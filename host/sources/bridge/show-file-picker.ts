import type { PickedFile } from '../../api/ask.ts';
import type { Tool } from '../../api/tool.ts';
import { textResult } from '../../tools/result.ts';
import type { StructuredOutput } from '../../tools/structure.ts';
import { askOwner, withoutAnswer } from './ask-owner.ts';
import { readPicked } from './read-picked.ts';

interface Args {
  readonly title: string;
  readonly multiple?: boolean;
}

const outputSchema = {
  type: 'object',
  required: ['files'],
  properties: {
    files: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'path', 'mimeType', 'size'],
        properties: {
          name: { type: 'string' },
          path: { type: 'string', description: 'Of a copy.' },
          mimeType: { type: 'string' },
          size: { type: 'integer' },
        },
      },
    },
  },
} as const;

export const showFilePicker: Tool<Args> = {
  name: 'show_file_picker',
  title: 'Let the user choose files',
  description:
    'Let the user choose files of their own computer, and return them: text and images as content, all as links to copies.',
  parameters: {
    type: 'object',
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 200, description: 'What the files are for' },
      multiple: { type: 'boolean', default: false },
    },
    required: ['title'],
    additionalProperties: false,
  },
  outputSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async execute({ title, multiple = false }, call): Promise<StructuredOutput<typeof outputSchema>> {
    const answer = await askOwner({ kind: 'files', message: title, multiple }, call);
    const files = answer?.action === 'accept' ? (answer.content?.['files'] as readonly PickedFile[]) : [];
    if (files.length === 0) return textResult(withoutAnswer(answer, 'No file was chosen.'), { files: [] });
    const chosen = files.slice(0, multiple ? files.length : 1);
    const read = await Promise.all(chosen.map(readPicked));
    call.recordOrigins?.(files.map(({ name }) => ({ kind: 'file', what: name })));
    const listed = chosen.map(({ name, path, mimeType, size }) => ({ name, path, mimeType, size }));
    return { content: read.flat(), structured: { files: listed } };
  },
};
