import { relative } from 'node:path';
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

/** Images become content, short texts part of the message, long texts artifacts; other files are saved in the workspace. */
export async function receiveFile(
  file: ReceivedFile,
  { driver, title, context, settings, signal }: ChannelParts,
): Promise<ReceivedContent> {
  const { maxDownloadBytes = defaultMaxDownloadBytes } = driver;
  // The name is untrusted text as well, and nothing else of the file is read.
  if (file.sizeBytes > maxDownloadBytes)
    return note(`[a file larger than ${Math.floor(maxDownloadBytes / megabyte)} MB could not be fetched]`);
  const label = `the file ${file.name.replaceAll(/[\p{C}\n]+/gu, ' ')}`;
  let bytes: Buffer;
  try {
    if (!driver.download) throw new Error(`files of ${title} can't be read`);
    bytes = await perform(() => driver.download!(file, signal), { signal });
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
  const places = await context.knownFoldersFor(context.agents.scopeFor(settings.agent));
  try {
    const path = await keepFile({ bytes, name: file.name, id: file.id }, settings.files, places);
    await context.fileOrigins.note(path, { kind: 'file', what: `${file.name}, received in ${title}` });
    const kind = file.mimeType || 'unknown kind';
    const shown = relative(places.home, path);
    return note(`[${label} (${kind}, ${bytes.length} bytes) is in the home as ${shown}]`);
  } catch (thrown) {
    return note(`[${label} could not be saved: ${(thrown as Error).message}]`);
  }
}

const note = (text: string): ReceivedContent => ({ content: [], notes: [text] });
