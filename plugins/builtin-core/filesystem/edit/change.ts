import { PegboardError, type Caller, type Prepared, type ToolCall } from 'pegboard';
import { actsForModel, diffOf } from 'pegboard/files';
import { toBytes, toText, type DecodedText } from '../content.ts';
import { isSameState, maxFileBytes, readWhole, toMegabytes, type FileState } from '../files.ts';
import type { FileAccess } from '../access/file-access.ts';
import { writeQuestion, type WriteQuestion } from '../access/write-question.ts';
import type { OpenedPath } from '../access/descent.ts';
import { openPath } from '../access/open-path.ts';
import { replaceFile } from './replace-file.ts';
import { secretReason } from '../access/secret-files.ts';
import { recordChanges } from '../record-changes.ts';

/** What will be written, and the state of the file that it replaces. */
export interface ChangePlan {
  /** Real path. */
  readonly path: string;
  /** Absent: the file is new. */
  readonly before: FileState | undefined;
  readonly after: Buffer;
}

/** Returns the new content of a file, given the old one, or undefined if there is none. Throws to refuse. */
export type Change = (path: string, old: DecodedText | undefined) => DecodedText;

/**
 * Decides what will be written. Nobody may overwrite a file without having read its current version: agents are
 * refused, and the owner at the terminal is shown the difference and asked.
 */
export async function prepareChange(
  access: FileAccess,
  path: string,
  caller: Caller,
  change: Change,
): Promise<Prepared<ChangePlan>> {
  using reached = openPath(access.roots, path);
  const isSecret = secretReason(access.roots, reached.path) !== undefined;
  const question = await writeQuestion(access, reached.path, caller);
  const old = reached.stats && (await readForChange(reached));
  const unseen = old && unseenReason(access, caller, reached.path, old.state);
  if (unseen !== undefined && actsForModel(caller)) throw new PegboardError('PEG_DENIED', unseen);

  const { text, form } = change(reached.path, old?.content);
  const after = toBytes(text, form);
  if (!after) {
    throw new PegboardError(
      'PEG_TOOL_FAILED',
      `${reached.path} is not UTF-8, and its 8-bit encoding lacks some of the new characters.`,
    );
  }
  if (after.length > maxFileBytes) {
    throw new PegboardError(
      'PEG_TOOL_FAILED',
      `The new content has ${toMegabytes(after.length)} MB; files up to ${toMegabytes(maxFileBytes)} MB are written.`,
    );
  }
  return {
    preview: previewOf(reached.path, { before: old?.content.text, after: text, isSecret, question }),
    ...(question ?? (unseen !== undefined && { sensitive: unseen })),
    subject: reached.path,
    plan: { path: reached.path, before: old?.state, after },
  };
}

/** Writes exactly what was prepared, and records it for undo. Throws PEG_TOOL_FAILED when the file has changed since. */
export function applyChange(
  access: FileAccess,
  plan: ChangePlan,
  call: Pick<ToolCall, 'caller' | 'turn' | 'recordChanges'>,
): Promise<void> {
  return recordChanges(call, { paths: [plan.path] }, () => writeChange(access, plan, call));
}

async function writeChange(
  access: FileAccess,
  plan: ChangePlan,
  { caller, turn }: Pick<ToolCall, 'caller' | 'turn'>,
): Promise<void> {
  using reached = openPath(access.roots, plan.path, { makeFolders: true });
  const now = reached.stats && (await readForChange(reached)).state;
  const same = plan.before && now ? isSameState(plan.before, now) : plan.before === now;
  if (reached.path !== plan.path || !same) {
    throw new PegboardError(
      'PEG_TOOL_FAILED',
      `${plan.path} changed while this call was being prepared, so nothing was written. Read it again, then repeat the call.`,
    );
  }
  const state = await replaceFile(reached, plan.after);
  access.reads.note(caller, plan.path, state);
  // A file that is written after reading untrusted content may contain it, also for later readers.
  const origin = turn?.untrusted.origins.at(-1);
  if (origin) await access.origins.note(plan.path, origin);
}

async function readForChange(
  reached: OpenedPath,
): Promise<{ readonly content: DecodedText; readonly state: FileState }> {
  const { path, stats } = reached;
  if (stats && stats.isFile() && stats.nlink > 1n) {
    throw new PegboardError(
      'PEG_DENIED',
      `${path} has ${stats.nlink} names (hard links): writing it would change files that can't be seen from here.`,
    );
  }
  const { bytes, state } = await readWhole(reached);
  const content = toText(bytes);
  if (!content) throw new PegboardError('PEG_TOOL_FAILED', `${path} is a binary file: only text is written.`);
  return { content, state };
}

function unseenReason(
  { reads }: FileAccess,
  { caller }: Caller,
  path: string,
  state: FileState,
): string | undefined {
  switch (reads.look(caller, path, state)) {
    case 'read':
      return undefined;
    case 'changed':
      return `${path} has changed since it was read. Read it again before writing.`;
    case 'unread':
      return `${path} exists and has not been read. Read it before writing.`;
  }
}

interface Shown {
  readonly before: string | undefined;
  readonly after: string;
  readonly isSecret: boolean;
  readonly question: WriteQuestion | undefined;
}

/** Maximum lines of a difference in a question. */
const maxAskedLines = 2_000;
/** Maximum characters of a difference in a question about a guarded file. Nothing of it is left out. */
const maxGuardedLength = 100_000;

function previewOf(path: string, { before, after, isSecret, question }: Shown): string {
  const verb = before === undefined ? 'create' : 'change';
  if (isSecret) return `${verb} ${path} (${linesIn(after)}; the content may be secret and is not shown)`;
  if (before === after) return `${verb} ${path} (no difference)`;
  const isGuarded = question !== undefined && question.allowances === undefined;
  const maxLines = isGuarded ? Infinity : maxAskedLines;
  const difference = diffOf(before ?? '', after, question ? { maxLines } : {});
  if (isGuarded && difference.length > maxGuardedLength) {
    throw new PegboardError(
      'PEG_LIMIT',
      `The difference in ${path} has ${difference.length.toLocaleString('en')} characters, more than a person can look through. Make it in several steps.`,
    );
  }
  return `${verb} ${path}\n${difference}`;
}

/** "1 line", "20 lines" */
export function linesIn(text: string): string {
  const count = text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return count === 1 ? '1 line' : `${count} lines`;
}
