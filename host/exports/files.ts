/** "pegboard/files": where an agent may write, and how to write safely. */
export {
  actsForModel,
  deniedPaths,
  folderWriteKey,
  judgeWrite,
  type WriteClass,
  type WriteJudgement,
} from '../core/files/write-boundary.ts';
export {
  judgeRead,
  isGitStore,
  mayHoldSecrets,
  type ReadableFolders,
  type ReadClass,
  type ReadJudgement,
} from '../core/files/read-boundary.ts';
export { isGuardedName } from '../core/files/guarded-names.ts';
export { openFolder, openSubfolder, type OpenFolder } from '../core/files/open-folder.ts';
export { draftName } from '../core/files/draft.ts';
export { mediaTypeOf } from '../core/files/media-type.ts';
export { realPathOf } from '../core/files/paths.ts';
export { opensByDescriptor } from '../core/platform/file-access.ts';
export { checkFileNames } from '../core/platform/file-names.ts';
export { replaceByRename } from '../core/platform/renames.ts';
export { userStateFolder, type User } from '../core/platform/places.ts';
export { readPdf, type PdfOptions, type PdfText } from '../core/pdf/pdf.ts';
export { contentOf } from '../core/documents/json/parse-in-slices.ts';
export { decodeBody, textInBody } from '../core/text/decode-body.ts';
export { diffOf } from '../core/text/diff.ts';
