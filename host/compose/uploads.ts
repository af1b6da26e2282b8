import { createHash } from 'node:crypto';
import type { PickedFile } from '../api/ask.ts';
import type { FileOrigins } from '../api/file-origins.ts';
import type { KnownFolders } from '../api/known-folders.ts';
import type { Scope } from '../api/source.ts';
import { keepFile } from '../channels/incoming/keep-file.ts';
import type { PageFiles } from '../store/page/page-files.ts';

/** Where picked files go: the folder of the workspace that files in chats go to by default. */
const folder = 'inbox';

export interface Uploads {
  /** Copies files that the page has sent to where whoever asked for them can read them. Throws PEG_USAGE, PEG_DENIED. */
  keep(ids: readonly string[], scope: Scope): Promise<readonly PickedFile[]>;
}

export function createUploads({
  files,
  fileOrigins,
  knownFoldersFor,
}: {
  readonly files: Pick<PageFiles, 'read'>;
  readonly fileOrigins: FileOrigins;
  readonly knownFoldersFor: (scope: Scope) => Promise<KnownFolders>;
}): Uploads {
  return {
    async keep(ids, scope) {
      const places = await knownFoldersFor(scope);
      const kept: PickedFile[] = [];
      for (const id of ids) {
        const { file, content } = await files.read(id);
        // Nobody who learns the path learns the id.
        const suffix = createHash('sha256').update(id).digest('hex');
        const path = await keepFile({ bytes: content, name: file.name, id: suffix }, folder, places);
        await fileOrigins.note(path, { kind: 'file', what: `${file.name}, chosen on the page` });
        kept.push({ name: file.name, path, mimeType: file.type, size: content.length });
      }
      return kept;
    },
  };
}
