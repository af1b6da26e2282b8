import { rmdirSync, unlinkSync } from 'node:fs';
import { PegboardError, defineTool, textResult, type Caller, type Prepared, type Tool } from 'pegboard';
import { actsForModel, judgeWrite } from 'pegboard/files';
import type { OpenedPath } from '../filesystem/access/descent.ts';
import type { FileAccess } from '../filesystem/access/file-access.ts';
import { explainFileErrors } from '../filesystem/file-error.ts';
import { recordChanges } from '../filesystem/record-changes.ts';
import type { RemovalEntry } from './removal.ts';

interface DeletePlan {
  /** The real path, or the path of a link itself. */
  readonly path: string;
  /** The contents of a folder that is deleted as a whole. */
  readonly inside: readonly RemovalEntry[] | undefined;
}

/** Maximum entries of a folder that a question lists. */
const maxShown = 40;

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
    recordsChanges: true,
    permission: { kind: 'path', argument: 'path', readsFolder: true },
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: {
        path: { type: 'string', minLength: 1, description: 'The file or folder.' },
        recursive: { type: 'boolean', default: false, description: 'Delete a folder that is not empty.' },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['path', 'deleted'],
      properties: { path: { type: 'string' }, deleted: { type: 'integer' } },
    },
    examples: [{ input: { path: 'drafts/old.md' } }],
    prepare: ({ path, recursive = false }, caller) =>
      explainFileErrors(path, async () => {
        using reached = await reachForDeletion(access, path);
        if (recursive && reached.stats!.isDirectory()) return await prepareWhole(access, reached, caller);
        const { writeQuestion } = await import('../filesystem/access/write-question.ts');
        const question = await writeQuestion(access, reached.path, caller);
        const plan: DeletePlan = { path: reached.path, inside: undefined };
        return { preview: `delete ${reached.path}`, subject: reached.path, ...question, plan };
      }),
    execute: (_args, call) => {
      const { path, inside }: DeletePlan = call.prepared!.plan!;
      const remove = async () => {
        using reached = await reachForDeletion(access, path);
        if (reached.path !== path)
          throw new PegboardError(
            'PEG_TOOL_FAILED',
            `${path} was replaced while this call was being prepared.`,
          );
        const target = `${reached.folder}/${reached.name}`;
        if (inside) (await import('./removal.ts')).removeListed(reached.self, inside);
        if (reached.stats!.isDirectory()) rmdirSync(target);
        else unlinkSync(target);
        return textResult(`Deleted ${path}.`, { path, deleted: 1 + (inside?.length ?? 0) });
      };
      return explainFileErrors(path, () => recordChanges(call, { paths: [path] }, remove));
    },
  });
}

/** Deleting a folder with its contents always needs confirmation, even where single files may be deleted freely. */
async function prepareWhole(
  { knownFoldersFor }: FileAccess,
  { path, self }: OpenedPath,
  caller: Caller,
): Promise<Prepared<DeletePlan>> {
  const { listRemoval } = await import('./removal.ts');
  const inside = listRemoval(self);
  const reasons = new Set<string>();
  if (actsForModel(caller)) {
    const folders = await knownFoldersFor(caller.scope, caller.workplace);
    for (const each of [path, ...inside.map((one) => `${path}/${one.path}`)]) {
      const { class: kind, reason } = judgeWrite(each, folders);
      if (kind === 'denied') throw new PegboardError('PEG_DENIED', `${reason}, so it is not deleted.`);
      if (kind === 'guarded') reasons.add(reason);
    }
  }
  const names = inside.slice(0, maxShown).map((one) => `  ${one.path}${one.isFolder ? '/' : ''}`);
  const more = inside.length > maxShown ? [`  … and ${inside.length - maxShown} more`] : [];
  const what = `It deletes the folder ${path} with all that is in it (${inside.length}).`;
  return {
    preview: [`delete ${path} and all that is in it:`, ...names, ...more].join('\n'),
    subject: path,
    sensitive: [what, ...reasons].join(' '),
    plan: { path, inside },
  };
}

async function reachForDeletion(access: FileAccess, path: string) {
  const [{ openPath: reach }, { missing }] = await Promise.all([
    import('../filesystem/access/open-path.ts'),
    import('../filesystem/files.ts'),
  ]);
  const reached = reach(access.roots, path, { linkItself: true });
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
