import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Artifacts } from '../api/store/artifacts.ts';
import type { PickedFile } from '../api/ask.ts';
import type { FileOrigins } from '../api/store/file-origins.ts';
import type { KnownFoldersFor, Workplace } from '../api/known-folders.ts';
import type { Origin } from '../api/provenance.ts';
import type { Scope } from '../api/source.ts';
import { contentOfFile, type ReceivedContent } from '../store/files/file-content.ts';
import { keepFile } from '../store/files/keep-file.ts';
import { mediaTypeOf } from '../core/files/media-type.ts';
import { isWithin, realPathOf, spellingsOf } from '../core/files/paths.ts';
import { judgeRead } from '../core/files/read-boundary.ts';
import type { JudgeFileRead } from '../dispatch/permissions/judge-file-read.ts';

/** Where files go: the folder of the workspace that files in chats go to by default. */
const folder = 'inbox';

export interface Uploads {
  /** Copies files that the owner has chosen to where whoever asked for them can read them. Throws PEG_DENIED. */
  keep(chosen: readonly ChosenFile[], scope: Scope): Promise<readonly PickedFile[]>;
  /** Whether a file of this machine, by its absolute path as written, may go with its owner's message. */
  judge(written: string, scope: Scope, workplace: Workplace | undefined): Promise<FileJudgement>;
  /**
   * A file of this machine as a part of its owner's message to an agent. What no model can see is copied into the home,
   * if it isn't there.
   */
  attach(file: OwnFile, scope: Scope): Promise<AttachedFile>;
}

interface ChosenFile {
  /** Nobody else knows it. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
}

interface FileJudgement {
  readonly decision: 'send' | 'ask' | 'refuse';
  /** For the question or the error, without a full stop. Empty for `send`. */
  readonly reason: string;
}

interface OwnFile {
  /** Absolute, with links resolved. */
  readonly path: string;
  readonly bytes: Buffer;
}

interface AttachedFile extends ReceivedContent {
  /** Who wrote it: somebody else, if it lies outside of the home. Undefined: the owner. */
  readonly origin: Origin | undefined;
}

export function createUploads({
  artifacts,
  fileOrigins,
  knownFoldersFor,
  judgeFileRead,
}: {
  readonly artifacts: Artifacts;
  readonly fileOrigins: FileOrigins;
  readonly knownFoldersFor: KnownFoldersFor;
  readonly judgeFileRead: JudgeFileRead;
}): Uploads {
  return {
    async keep(chosen, scope) {
      const places = await knownFoldersFor(scope);
      const kept: PickedFile[] = [];
      for (const { id, name, type, content } of chosen) {
        // Nobody who learns the path learns the id.
        const suffix = createHash('sha256').update(id).digest('hex');
        const path = await keepFile({ bytes: content, name, id: suffix }, folder, places);
        await fileOrigins.note(path, { kind: 'file', what: `${name}, chosen on the page` });
        kept.push({ name, path, mimeType: type, size: content.length });
      }
      return kept;
    },
    async judge(written, scope, workplace) {
      const judged = await judgeFileRead(spellingsOf(written), scope);
      const rule = judged?.rules[0];
      if (judged?.decision === 'deny')
        return {
          decision: 'refuse',
          reason: `The rule "${rule!.text}" under permissions.deny in ${rule!.file} refuses reading ${written}`,
        };
      const { class: kind, reason } = judgeRead(realPathOf(written), await knownFoldersFor(scope, workplace));
      if (kind === 'secret' || kind === 'denied') return { decision: 'refuse', reason };
      if (judged?.decision === 'ask')
        return { decision: 'ask', reason: `The rule "${rule!.text}" asks about reading ${written}` };
      return { decision: kind === 'outside' ? 'ask' : 'send', reason };
    },
    async attach({ path, bytes }, scope) {
      const places = await knownFoldersFor(scope);
      const { home } = places;
      const isInHome = isWithin(home, path);
      const foreign: Origin = { kind: 'file', what: path };
      const save = async (): Promise<{ readonly path: string; readonly home: string }> => {
        if (isInHome) return { path, home };
        const id = createHash('sha256').update(bytes).digest('hex');
        const kept = await keepFile({ bytes, name: basename(path), id }, folder, places);
        await fileOrigins.note(kept, foreign);
        return { path: kept, home };
      };
      const mimeType = mediaTypeOf(bytes) ?? '';
      const received = await contentOfFile({ name: path, mimeType, bytes }, { artifacts, save });
      return { ...received, origin: fileOrigins.of(path) ?? (isInHome ? undefined : foreign) };
    },
  };
}
