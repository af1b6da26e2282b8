import { relative } from 'node:path';
import type { PickedFile } from '../../api/ask.ts';
import type { ReceivedFile } from '../../api/channels/driver.ts';
import type { Content } from '../../api/result.ts';
import { textInBytes } from '../../core/text/text-in-bytes.ts';
import type { ChannelParts } from '../channel-parts.ts';
import { perform } from '../outgoing/perform.ts';
import { keepFile } from './keep-file.ts';

const megabyte = 1024 * 1024;
const defaultMaxDownloadBytes = 20 * megabyte;
/** Maximum size of an image that is shown to a model. */
const maxImageBytes = 5 * megabyte;
/** Maximum characters of a text file that is included in the message. */
const maxInlineLength = 20_000;

/** The files of one message: content for the model, and notes about files that it can't see. */
export interface ReceivedContent {
  readonly content: readonly Content[];
  readonly notes: string[];
}

type FileParts = Pick<ChannelParts, 'driver' | 'title' | 'context' | 'settings' | 'signal'>;

/** Images become content, short texts part of the message, long texts artifacts; other files are saved in the workspace. */
export async function receiveFile(file: ReceivedFile, parts: FileParts): Promise<ReceivedContent> {
  const { context, signal } = parts;
  // The name is untrusted text as well, and nothing else of the file is read.
  if (isTooLarge(file, parts)) return note(`[${tooLarge(parts)}]`);
  const label = `the file ${file.name.replaceAll(/[\p{C}\n]+/gu, ' ')}`;
  let bytes: Buffer;
  try {
    bytes = await download(file, parts);
  } catch (thrown) {
    signal.throwIfAborted();
    return note(`[${label} could not be fetched: ${(thrown as Error).message}]`);
  }
  if (/^image\/(png|jpeg|webp|gif)$/.test(file.mimeType) && bytes.length <= maxImageBytes)
    return {
      content: [{ type: 'image', data: bytes.toString('base64'), mimeType: file.mimeType }],
      notes: [`[image ${file.name}]`],
    };
  const text = textInBytes(bytes);
  if (text !== undefined && text.length <= maxInlineLength)
    return note(`[${label} says:]\n${text}\n[end of ${label}]`);
  if (text !== undefined) {
    const id = await context.artifacts.write(text);
    return note(`[${label}, ${text.length} characters: read_artifact pages through it as ${id}]`);
  }
  try {
    const { path, home } = await save(file, bytes, parts);
    const kind = file.mimeType || 'unknown kind';
    return note(`[${label} (${kind}, ${bytes.length} bytes) is in the home as ${relative(home, path)}]`);
  } catch (thrown) {
    return note(`[${label} could not be saved: ${(thrown as Error).message}]`);
  }
}

/** The file that answers a question for one, saved in the workspace. Throws with a message for the person. */
export async function receivePicked(file: ReceivedFile, parts: FileParts): Promise<PickedFile> {
  if (isTooLarge(file, parts)) throw new Error(tooLarge(parts));
  const bytes = await download(file, parts);
  const { path } = await save(file, bytes, parts);
  return { name: file.name, path, mimeType: file.mimeType, size: bytes.length };
}

const limitOf = ({ driver: { maxDownloadBytes = defaultMaxDownloadBytes } }: FileParts): number =>
  maxDownloadBytes;
const isTooLarge = ({ sizeBytes }: ReceivedFile, parts: FileParts): boolean => sizeBytes > limitOf(parts);
const tooLarge = (parts: FileParts): string =>
  `a file larger than ${Math.floor(limitOf(parts) / megabyte)} MB could not be fetched`;

async function download(file: ReceivedFile, { driver, title, signal }: FileParts): Promise<Buffer> {
  if (!driver.download) throw new Error(`files of ${title} can't be read`);
  return await perform(() => driver.download!(file, signal), { signal });
}

async function save(
  { name, id }: ReceivedFile,
  bytes: Buffer,
  { title, context, settings }: FileParts,
): Promise<{ readonly path: string; readonly home: string }> {
  const places = await context.knownFoldersFor(context.agents.scopeFor(settings.agent));
  const path = await keepFile({ bytes, name, id }, settings.files, places);
  await context.fileOrigins.note(path, { kind: 'file', what: `${name}, received in ${title}` });
  return { path, home: places.home };
}

const note = (text: string): ReceivedContent => ({ content: [], notes: [text] });
