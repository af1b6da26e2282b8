import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { defineTool, PegboardError, textResult, type FileOrigins, type Tool } from 'pegboard';
import type { Project } from './project.ts';

const maxLines = 800;

export function createReadSource(project: Project, fileOrigins: FileOrigins): Tool {
  return defineTool({
    name: 'self_read_source',
    title: 'Read own source',
    description:
      "Reads a file of Pegboard's own source, or lists a folder of it. Paths are relative to the project: host/dispatch/dispatch.ts.",
    category: 'self',
    tags: ['source', 'code'],
    aliases: ['self_read'],
    annotations: { readOnlyHint: true, openWorldHint: false },
    untrusted: ({ path }) => fileOrigins.of(join(project.root, path)),
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: {
        path: { type: 'string', minLength: 1, description: 'File or folder.' },
        offset: { type: 'integer', minimum: 0, default: 0, description: 'First line to show, from 0.' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: maxLines,
          default: maxLines,
          description: 'Lines at most.',
        },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['path'],
      properties: {
        path: { type: 'string' },
        content: { type: 'string', description: 'Of a file: the lines from offset on.' },
        offset: { type: 'integer' },
        lines: { type: 'integer', description: 'Lines of content.' },
        totalLines: { type: 'integer' },
        entries: {
          type: 'array',
          description: 'Of a folder.',
          items: {
            type: 'object',
            required: ['name', 'type'],
            properties: { name: { type: 'string' }, type: { enum: ['file', 'folder'] } },
          },
        },
      },
    },
    execute({ path, offset = 0, limit = maxLines }) {
      const file = project.readable(path);
      const stat = statSync(file, { throwIfNoEntry: false });
      if (!stat) throw new PegboardError('PEG_TOOL_FAILED', `${path} does not exist.`);
      if (stat.isDirectory()) {
        const entries = readdirSync(file, { withFileTypes: true }).map((entry) => ({
          name: entry.name,
          type: entry.isDirectory() ? ('folder' as const) : ('file' as const),
        }));
        const names = entries.map(({ name, type }) => (type === 'folder' ? `${name}/` : name));
        return textResult(names.join('\n'), { path, entries });
      }
      const lines = readFileSync(file, 'utf8').split('\n');
      const shown = lines.slice(offset, offset + limit);
      const rest = lines.length - offset - shown.length;
      const content = shown.join('\n');
      const note = rest > 0 ? `\n[${rest} more lines; go on with offset ${offset + shown.length}]` : '';
      const counts = { lines: shown.length, totalLines: lines.length };
      return textResult(`${content}${note}`, { path, content, offset, ...counts });
    },
  });
}
