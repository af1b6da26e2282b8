import { PegboardError, type Caller, type Prepared, type ToolCall } from 'pegboard';
import { actsForModel, diffOf } from 'pegboard/files';
import { toBytes, toText, type DecodedText } from '../content.ts';
import { isSameState, maxFileBytes, readWhole, toMegabytes, type FileState } from '../files.ts';
import type { FileAccess } from '../access/file-access.ts';
import { questionBefore, type WriteQuestion } from '../access/may-write.ts';
import type { Reached } from '../access/descent.ts';
import { reach } from '../access/reach.ts';
import { replaceFile } from './replace-file.ts';
import { secretReason } from '../access/secret-files.ts';

/** What will be written, and to a file in which state. */
export interface ChangePlan {
  /** Real path. */
  readonly path: string;
  /** Absent: the file is new. */
  readonly before: FileState | undefined;
  readonly after: Buffer;
}

/** The new content of a file whose old one is given, or undefined when there is none. Throws to refuse. */
export type Change = (path: string, old: DecodedText | undefined) => DecodedText;

/**
 * Decides what will be written: nobody overwrites a file that they haven't read as it is now. For an agent that is a
 * refusal; the owner at the terminal is asked, seeing the difference.
 */
export async function prepareChange(
  access: FileAccess,
  path: string,
  caller: Caller,
  change: Change,
): Promise<Prepared<ChangePlan>> {
  using reached = reach(access.roots, path);
  const isSecret = secretReason(access.roots, reached.path) !== undefined;
  const question = await questionBefore(access, reached.path, caller);
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
    plan: { path: reached.path, before: old?.state, after },
  };
}

/** Writes exactly what was prepared. Throws PEG_TOOL_FAILED when the file is no longer what it was then. */
export async function applyChange(
  access: FileAccess,
  plan: ChangePlan,
  { caller, turn }: Pick<ToolCall, 'caller' | 'turn'>,
): Promise<void> {
  using reached = reach(access.roots, plan.path, { makeFolders: true });
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
  // What is written after reading others' words may be theirs, also for whoever reads the file later.
  const origin = turn?.untrusted.origins.at(-1);
  if (origin) await access.origins.note(plan.path, origin);
}

async function readForChange(
  reached: Reached,
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

/** Lines that are shown of a difference that is asked about. */
const maxAskedLines = 2_000;
/** Characters of one that is asked about each time: of what decides what runs nothing is left out. */
const maxGuardedLength = 100_000;

function previewOf(path: string, { before, after, isSecret, question }: Shown): string {
  const verb = before === undefined ? 'create' : 'change';
  if (isSecret)
    return `${verb} ${path} (${countLines(after)} lines; the content may be secret and is not shown)`;
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

export function countLines(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
