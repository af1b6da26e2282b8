import type { StructureOf } from 'pegboard';

/** What `read` returns for programs. */
export const fileContent = {
  type: 'object',
  required: ['path', 'size'],
  properties: {
    path: { type: 'string' },
    size: { type: 'integer', description: 'Bytes of the file.' },
    mimeType: { type: 'string', description: 'Of a PDF or an image.' },
    content: { type: 'string', description: 'The lines from offset to limit, or to the end.' },
    offset: { type: 'integer' },
    lines: { type: 'integer', description: 'Lines of content.' },
    totalLines: { type: 'integer' },
    truncated: { type: 'boolean' },
  },
} as const;

export type FileContent = StructureOf<typeof fileContent>;
