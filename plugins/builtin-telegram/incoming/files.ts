import type { Message } from 'grammy/types';
import type { ReceivedFile } from 'pegboard';

/** Bytes: what the public Bot API lets a bot download. */
export const maxDownloadBytes = 20 * 1024 * 1024;

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
