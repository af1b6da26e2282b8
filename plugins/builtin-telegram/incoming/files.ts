import { relative } from 'node:path';
import type { Message } from 'grammy/types';
import type { Artifacts, Content, FileOrigins, KnownFolders } from 'pegboard';
import type { BotApi } from '../bot-api.ts';
import { perform } from '../perform.ts';
import { saveFile } from './keep-file.ts';

/** Bytes: what the public Bot API lets a bot download. */
export const maxDownloadBytes = 20 * 1024 * 1024;
/** Of an image that a model is shown. */
const maxImageBytes = 5 * 1024 * 1024;
/** Characters of a text that stand in the message as they are. */
const maxInlineLength = 20_000;

export interface ReceivedFile {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
}

/** What came in one message: content for the model, and words about what it can't see. */
export interface ReceivedContent {
  readonly content: readonly Content[];
  readonly notes: readonly string[];
}

export interface FileReaderOptions {
  readonly api: BotApi;
  readonly artifacts: Artifacts;
  readonly fileOrigins: FileOrigins;
  /** The folders that decide where the answering agent may write. */
  readonly places: () => Promise<KnownFolders>;
  /** Relative to its workspace. */
  readonly folder: string;
}

/** The file of a message that can be read; photos in their largest size. */
export function fileOf({ photo, document, message_id: id }: Message): ReceivedFile | undefined {
  const largest = photo?.at(-1);
  if (largest)
    return {
      id: largest.file_id,
      name: `photo-${id}.jpg`,
      mimeType: 'image/jpeg',
      sizeBytes: largest.file_size ?? 0,
    };
  if (!document) return undefined;
  const {
    file_id,
    file_name: name = `file-${id}`,
    mime_type: mimeType = '',
    file_size: sizeBytes = 0,
  } = document;
  return { id: file_id, name, mimeType, sizeBytes };
}

/** Images become content, short texts stand in the message, long ones become artifacts, other files lie in the workspace. */
export async function receiveFile(
  file: ReceivedFile,
  { api, artifacts, fileOrigins, places, folder }: FileReaderOptions,
  signal: AbortSignal,
): Promise<ReceivedContent> {
  // Its name is somebody's words too, and nothing else of it is read.
  if (file.sizeBytes > maxDownloadBytes) return note('[a file larger than 20 MB could not be fetched]');
  const label = `the file ${file.name.replaceAll(/[\p{C}\n]+/gu, ' ')}`;
  let bytes: Buffer;
  try {
    const found = await perform(() => api.raw.getFile({ file_id: file.id }), { signal, repeatable: true });
    bytes = await api.download(found.file_path!, maxDownloadBytes, signal);
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
    const id = await artifacts.write(text);
    return note(`[${label}, ${text.length} characters: read_artifact pages through it as ${id}]`);
  }
  const where = await places();
  try {
    const path = await saveFile({ bytes, name: file.name, id: file.id }, folder, where);
    await fileOrigins.note(path, { kind: 'file', what: `${file.name}, received in Telegram` });
    const kind = file.mimeType || 'unknown kind';
    const shown = relative(where.home, path);
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
