import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { defineTool, PegboardError, type FileOrigins, type Tool } from 'pegboard';
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
    execute({ path, offset = 0, limit = maxLines }) {
      const file = project.readable(path);
      const stat = statSync(file, { throwIfNoEntry: false });
      if (!stat) throw new PegboardError('PEG_TOOL_FAILED', `${path} does not exist.`);
      if (stat.isDirectory()) {
        return readdirSync(file, { withFileTypes: true })
          .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
          .join('\n');
      }
      const lines = readFileSync(file, 'utf8').split('\n');
      const shown = lines.slice(offset, offset + limit);
      const rest = lines.length - offset - shown.length;
      return (
        shown.join('\n') +
        (rest > 0 ? `\n[${rest} more lines; go on with offset ${offset + shown.length}]` : '')
      );
    },
  });
}
