import { relative } from 'node:path';
import type { ReceivedFile } from '../../api/channels/driver.ts';
import type { Content } from '../../api/result.ts';
import type { ChannelParts } from '../channel-parts.ts';
import { perform } from '../outgoing/perform.ts';
import { keepFile } from './keep-file.ts';

const megabyte = 1024 * 1024;
const usualMaxDownloadBytes = 20 * megabyte;
/** Of an image that a model is shown. */
const maxImageBytes = 5 * megabyte;
/** Characters of a text that stand in the message as they are. */
const maxInlineLength = 20_000;

/** What came in one message: content for the model, and words about what it can't see. */
export interface ReceivedContent {
  readonly content: readonly Content[];
  readonly notes: string[];
}

/** Images become content, short texts stand in the message, long ones become artifacts, other files lie in the workspace. */
export async function receiveFile(
  file: ReceivedFile,
  { driver, title, context, settings, signal }: ChannelParts,
): Promise<ReceivedContent> {
  const { maxDownloadBytes = usualMaxDownloadBytes } = driver;
  // Its name is somebody's words too, and nothing else of it is read.
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
  const text = textIn(bytes);
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
    return note(`[${label} (${kind}, ${bytes.length} bytes) lies in the home as ${shown}]`);
  } catch (thrown) {
    return note(`[${label} could not be kept: ${(thrown as Error).message}]`);
  }
}

const note = (text: string): ReceivedContent => ({ content: [], notes: [text] });

/** UTF-8 without control characters is text, whatever its sender calls it. */
function textIn(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // oxlint-disable-next-line no-control-regex -- binary files have them, texts don't
    return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
