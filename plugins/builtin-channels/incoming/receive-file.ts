import type { PickedFile, ReceivedFile } from 'pegboard';
import { contentOfFile, keepFile, labelOf, note, type ReceivedContent } from 'pegboard/kit';
import type { ChannelParts } from '../channel-parts.ts';
import { perform } from '../outgoing/perform.ts';
import { tooLargeFor } from './too-large.ts';

type FileParts = Pick<ChannelParts, 'driver' | 'title' | 'context' | 'settings' | 'clock' | 'signal'>;

/** Images become content, short texts part of the message, long texts artifacts; other files are saved in the workspace. */
export async function receiveFile(file: ReceivedFile, parts: FileParts): Promise<ReceivedContent> {
  const { context, signal } = parts;
  // The name is untrusted text as well, and nothing else of the file is read.
  const tooLarge = tooLargeFor(file, parts);
  if (tooLarge !== undefined) return note(`[${tooLarge}]`);
  let bytes: Buffer;
  try {
    bytes = await downloadFile(file, parts);
  } catch (thrown) {
    signal.throwIfAborted();
    return note(`[${labelOf(file.name)} could not be fetched: ${(thrown as Error).message}]`);
  }
  return await contentOfFile(
    { ...file, bytes },
    { artifacts: context.artifacts, save: () => saveFile(file, bytes, parts) },
  );
}

/** The file that answers a question for one, saved in the workspace. Throws with a message for the person. */
export async function receivePicked(file: ReceivedFile, parts: FileParts): Promise<PickedFile> {
  const tooLarge = tooLargeFor(file, parts);
  if (tooLarge !== undefined) throw new Error(tooLarge);
  const bytes = await downloadFile(file, parts);
  const { path } = await saveFile(file, bytes, parts);
  return { name: file.name, path, mimeType: file.mimeType, size: bytes.length };
}

export async function downloadFile(
  file: ReceivedFile,
  { driver, title, clock, signal }: FileParts,
): Promise<Buffer> {
  if (!driver.download) throw new Error(`files of ${title} can't be read`);
  return await perform(() => driver.download!(file, signal), { signal, clock });
}

/** Keeps a file in the workspace of the agent that answers. Both paths are absolute. */
export async function saveFile(
  { name, id }: ReceivedFile,
  bytes: Buffer,
  { title, context, settings }: FileParts,
): Promise<{ readonly path: string; readonly home: string }> {
  const places = await context.knownFoldersFor(context.agents.scopeFor(settings.agent));
  const path = await keepFile({ bytes, name, id }, settings.files, places);
  await context.fileOrigins.note(path, { kind: 'file', what: `${name}, received in ${title}` });
  return { path, home: places.home };
}
