import { PegboardError, type Caller, type Prepared, type ToolCall } from 'pegboard';
import { actsForModel } from 'pegboard/files';
import { isBinary } from '../content.ts';
import { isSameState, readWhole, type FileState } from '../files.ts';
import type { FileAccess } from '../access/file-access.ts';
import { writeQuestion } from '../access/write-question.ts';
import type { OpenedPath } from '../access/descent.ts';
import { openPath } from '../access/open-path.ts';
import { runJob } from '../large/run-job.ts';
import type { TextChange } from './change-text.ts';
import { replaceFile } from './replace-file.ts';
import { secretReason } from '../access/secret-files.ts';
import { recordChanges } from '../record-changes.ts';

/** What will be written, and the state of the file that it replaces. */
export interface ChangePlan {
  /** Real path. */
  readonly path: string;
  /** Absent: the file is new. */
  readonly before: FileState | undefined;
  readonly after: Uint8Array;
  /** Occurrences that an edit replaces. */
  readonly replaced: number;
  /** Of the new content: "20 lines". */
  readonly lines: string;
}

/** Characters of a text in the arguments of a call. Longer ones keep others waiting on their way here. */
const maxGivenLength = 8 * 1024 * 1024;

/**
 * Decides what will be written. Nobody may overwrite a file without having read its current version: agents are
 * refused, and the owner at the terminal is shown the difference and asked.
 */
export async function prepareChange(
  access: FileAccess,
  path: string,
  caller: Caller,
  change: TextChange,
): Promise<Prepared<ChangePlan>> {
  const given = change.kind === 'write' ? change.content : change.from + change.to;
  if (given.length > maxGivenLength)
    throw new PegboardError(
      'PEG_INVALID_ARGUMENTS',
      `The text has ${given.length.toLocaleString('en')} characters; a call may have ${maxGivenLength.toLocaleString('en')}.`,
    );
  using reached = openPath(access.roots, path);
  const isSecret = secretReason(access.roots, reached.path) !== undefined;
  const question = await writeQuestion(access, reached.path, caller);
  const old = reached.stats && (await readForChange(reached));
  const unseen = old && unseenReason(access, caller, reached.path, old.state);
  if (unseen !== undefined && actsForModel(caller)) throw new PegboardError('PEG_DENIED', unseen);

  const asks = !question ? 'nobody' : question.allowances ? 'once' : 'always';
  const before = old?.bytes;
  const job = { path: reached.path, before, change, preview: { isSecret, asks } } as const;
  const size = (before?.length ?? 0) + given.length;
  const { preview, ...changed } = await runJob('change', job, {
    size,
    signal: undefined,
    transfer: before,
  });
  return {
    preview,
    ...(question ?? (unseen !== undefined && { sensitive: unseen })),
    subject: reached.path,
    plan: { path: reached.path, before: old?.state, ...changed },
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
): Promise<{ readonly bytes: Buffer; readonly state: FileState }> {
  const { path, stats } = reached;
  if (stats && stats.isFile() && stats.nlink > 1n) {
    throw new PegboardError(
      'PEG_DENIED',
      `${path} has ${stats.nlink} names (hard links): writing it would change files that can't be seen from here.`,
    );
  }
  const read = await readWhole(reached);
  if (isBinary(read.bytes))
    throw new PegboardError('PEG_TOOL_FAILED', `${path} is a binary file: only text is written.`);
  return read;
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
