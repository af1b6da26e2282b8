import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { draftName, openFolder, openSubfolder, replaceByRename } from 'pegboard/files';
import { fileErrorInWords, hasModes, systemPath } from 'pegboard/kit';
import type { ContentStore } from './content-store.ts';
import { absent, isSameFile, isSameState, lookAt } from './file-state.ts';
import type { UndoStep } from './plan-undo.ts';

/** A step that failed, with the reason in words. */
export interface FailedStep {
  readonly path: string;
  readonly reason: string;
}

/**
 * Brings each path into its state, in an order in which folders exist before their contents and are empty before they
 * are removed. Each file is replaced as a whole or not at all. Folders on the way are opened without following links. A
 * step that fails does not keep others from being made.
 */
export async function restore(
  steps: readonly UndoStep[],
  content: ContentStore,
): Promise<readonly FailedStep[]> {
  const failed = new Map<string, string>();
  const each = async (
    some: readonly UndoStep[],
    act: (step: UndoStep) => Promise<void> | void,
  ): Promise<void> => {
    for (const step of some) {
      try {
        await act(step);
      } catch (cause) {
        failed.set(step.path, fileErrorInWords(cause));
      }
    }
  };
  const outerFirst = [...steps].sort((a, b) => a.path.length - b.path.length);
  const innerFirst = outerFirst.toReversed();
  const leaves = ({ from, to }: UndoStep): boolean =>
    from.type !== 'absent' && (to.type === 'absent' || (from.type === 'folder') !== (to.type === 'folder'));

  // The turn may have left a folder read-only.
  await each(outerFirst, makeWritable);
  await each(innerFirst.filter(leaves), remove);
  await each(outerFirst, makeFolder);
  await each(steps, (step) => put(step, content));
  await each(innerFirst, setFolderMode);
  return [...failed].map(([path, reason]) => ({ path, reason }));
}

/** The folder that holds the path, and the path in it for system calls. */
function reach(path: string, make = false): Disposable & { readonly folder: string; readonly at: string } {
  const folder = openFolder(dirname(path), { make });
  return {
    folder: folder.path,
    at: `${folder.path}/${basename(path)}`,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

function makeWritable({ path, from }: UndoStep): void {
  if (from.type === 'folder') changeFolderMode(path, from.mode | 0o700);
}

function remove(step: UndoStep): void {
  using place = reach(step.path);
  checkUnchanged(place.at, step);
  if (step.from.type === 'folder') rmdirSync(systemPath(place.at));
  else unlinkSync(systemPath(place.at));
}

function makeFolder({ path, to }: UndoStep): void {
  if (to.type !== 'folder') return;
  using place = reach(path, true);
  if (lookAt(place.at).state.type !== 'folder') mkdirSync(systemPath(place.at), { mode: 0o700 });
}

function setFolderMode({ path, to }: UndoStep): void {
  if (to.type === 'folder') changeFolderMode(path, to.mode);
}

function changeFolderMode(path: string, mode: number): void {
  if (!hasModes()) return;
  using place = reach(path);
  using folder = openSubfolder(place.folder, basename(path));
  if (!folder) throw new Error('It is not a folder.');
  chmodSync(systemPath(folder.path), mode);
}

async function put(step: UndoStep, content: ContentStore): Promise<void> {
  const { path, to } = step;
  if (to.type !== 'file' && to.type !== 'link') return;
  using place = reach(path, true);
  checkUnchanged(place.at, step.from.type === 'folder' ? { from: absent.state } : step);
  const draft = `${place.folder}/${draftName()}`;
  try {
    if (to.type === 'link') symlinkSync(systemPath(to.target), systemPath(draft));
    else writeDraft(draft, to.mode, contentOf(to.hash, content));
    await replaceByRename(systemPath(draft), systemPath(place.at));
  } catch (cause) {
    rmSync(systemPath(draft), { force: true });
    throw cause;
  }
}

/** Throws when something else has come there since the plan was made. */
function checkUnchanged(at: string, { from }: Pick<UndoStep, 'from'>): void {
  const { state } = lookAt(at);
  const isSame =
    state.type === 'file' && from.type === 'file'
      ? isSameFile(state, from)
      : state.type === from.type && (state.type === 'folder' || isSameState(state, from));
  if (!isSame) throw new Error('It has just been changed.');
}

function contentOf(hash: string | undefined, content: ContentStore): Buffer {
  const bytes = hash === undefined ? undefined : content.read(hash);
  if (!bytes) throw new Error('What was kept of it is missing or damaged.');
  return bytes;
}

function writeDraft(draft: string, mode: number, bytes: Buffer): void {
  const descriptor = openSync(systemPath(draft), 'wx', 0o600);
  try {
    writeFileSync(descriptor, bytes);
    if (hasModes()) fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
