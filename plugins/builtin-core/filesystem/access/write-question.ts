import { dirname } from 'node:path';
import { PegboardError, type Allowances, type Caller } from 'pegboard';
import { actsForModel, judgeWrite } from 'pegboard/files';
import type { FileAccess } from './file-access.ts';

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
  const { class: kind, reason } = judgeWrite(path, await knownFoldersFor(caller.scope));
  switch (kind) {
    case 'free':
      return undefined;
    case 'asked':
      return { confirm: `${reason}. Write ${path}?`, allowances: allowancesFor(path) };
    case 'guarded':
      return { sensitive: `${reason}, so each change is asked about. Write ${path}?` };
    case 'denied':
      throw new PegboardError('PEG_DENIED', `${reason}, so only Pegboard may write there: ${path}.`);
  }
}

/** An answer for a folder covers everything below it, so it is only offered as a choice. */
function allowancesFor(path: string): Allowances {
  const above = [];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    above.push(folderKey(folder));
    if (folder === dirname(folder)) break;
  }
  return {
    offered: { file: fileKey(path), folder: folderKey(dirname(path)) },
    coveredBy: [fileKey(path), ...above],
  };
}

const fileKey = (path: string): string => `write ${path}`;
const folderKey = (path: string): string => `write in ${path}`;
