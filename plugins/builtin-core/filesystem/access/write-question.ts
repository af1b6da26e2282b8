import { dirname } from 'node:path';
import { asSentence, PegboardError, type Allowances, type Caller } from 'pegboard';
import { actsForModel, folderWriteKey, judgeWrite } from 'pegboard/files';
import type { FileAccess } from './file-access.ts';
import { relativePathIn } from './roots.ts';

/** Why a person has to confirm a write, and which broader answers are offered. */
export interface WriteQuestion {
  /** Whatever the rules say. */
  readonly sensitive?: string;
  /** Unless a rule allows it. */
  readonly confirm?: string;
  readonly allowances?: Allowances;
}

/**
 * The question to ask before a file is written for a model, if any. Calls by a person need none. `path` is real:
 * symlinks are resolved. Throws PEG_DENIED where writing is never allowed.
 */
export async function writeQuestion(
  { knownFoldersFor }: Pick<FileAccess, 'knownFoldersFor'>,
  path: string,
  caller: Caller,
): Promise<WriteQuestion | undefined> {
  if (!actsForModel(caller)) return undefined;
  const { class: kind, reason } = judgeWrite(path, await knownFoldersFor(caller.scope, caller.workplace));
  switch (kind) {
    case 'free':
      return undefined;
    case 'asked': {
      const root = caller.workplace?.project?.root;
      if (root === undefined || relativePathIn(root, path) === undefined)
        return {
          confirm: `${asSentence(reason)} Write ${path}?`,
          allowances: allowancesFor(path, dirname(path)),
        };
      const place = `${path} is in the project ${root}, all of which an answer for the folder covers`;
      return { confirm: `${place}. Write it?`, allowances: allowancesFor(path, root) };
    }
    case 'guarded':
      return { sensitive: `${reason}, so each change is asked about. Write ${path}?` };
    case 'denied':
      throw new PegboardError('PEG_DENIED', `${reason}, so only Pegboard may write there: ${path}.`);
  }
}

/** An answer for `folder` covers everything below it, so it is only offered as a choice. */
function allowancesFor(path: string, folder: string): Allowances {
  const above = [];
  for (let place = dirname(path); ; place = dirname(place)) {
    above.push(folderWriteKey(place));
    if (place === dirname(place)) break;
  }
  return {
    offered: { file: fileKey(path), folder: folderWriteKey(folder) },
    coveredBy: [fileKey(path), ...above],
  };
}

const fileKey = (path: string): string => `write ${path}`;
