import { rmdir, rm, unlink } from 'node:fs/promises';
import { PegboardError, defineTool, type Tool } from 'pegboard';
import type { FileAccess } from '../filesystem/file-access.ts';
import { explained } from '../filesystem/file-error.ts';

export function createDelete(access: FileAccess): Tool {
  return defineTool({
    name: 'delete',
    title: 'Delete file',
    description:
      'Deletes a file, a link or an empty folder of the workspace; with recursive a folder and all that is in it.',
    category: 'files',
    tags: ['file', 'remove', 'rm', 'unlink'],
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    timeout: 30,
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: {
        path: { type: 'string', minLength: 1, description: 'The file or folder.' },
        recursive: { type: 'boolean', default: false, description: 'Delete a folder that is not empty.' },
      },
    },
    examples: [{ input: { path: 'drafts/old.md' } }],
    prepare: ({ path, recursive = false }) =>
      explained(path, async () => {
        using reached = await reachForDeletion(access, path);
        const all = recursive && reached.stats!.isDirectory();
        return {
          preview: `delete ${reached.path}${all ? ' and all that is in it' : ''}`,
          ...(all && { sensitive: `It deletes the folder ${reached.path} with all that is in it.` }),
          plan: reached.path,
        };
      }),
    execute: ({ recursive = false }, call) => {
      const path: string = call.prepared!.plan!;
      return explained(path, async () => {
        using reached = await reachForDeletion(access, path);
        if (reached.path !== path)
          throw new PegboardError(
            'PEG_TOOL_FAILED',
            `${path} was replaced while this call was being prepared.`,
          );
        const target = `${reached.folder}/${reached.name}`;
        if (!reached.stats!.isDirectory()) await unlink(target);
        else if (recursive) await rm(target, { recursive: true });
        else await rmdir(target);
        return `Deleted ${path}.`;
      });
    },
  });
}

async function reachForDeletion(access: FileAccess, path: string) {
  const [{ reach }, { missing }] = await Promise.all([
    import('../filesystem/reach.ts'),
    import('../filesystem/files.ts'),
  ]);
  const reached = reach(access.roots, path);
  try {
    if (!reached.stats) throw missing(reached);
    if (access.roots.place(reached.path).relative === '' || reached.folder === undefined)
      throw new PegboardError('PEG_DENIED', 'The workspace itself stays.');
    return reached;
  } catch (cause) {
    reached[Symbol.dispose]();
    throw cause;
  }
}
