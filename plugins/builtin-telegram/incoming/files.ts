import type { Message } from 'grammy/types';
import type { ReceivedFile } from 'pegboard';

/** Bytes: the download limit of the public Bot API. */
export const maxDownloadBytes = 20 * 1024 * 1024;

/** The photo, in its largest size, or document of a message. */
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

/** The voice message, or other audio, of a message. */
export function recordingOf({ voice, audio, message_id: id }: Message): ReceivedFile | undefined {
  if (voice) {
    const { file_id, mime_type: mimeType = 'audio/ogg', file_size: sizeBytes = 0 } = voice;
    return { id: file_id, name: `voice-${id}.ogg`, mimeType, sizeBytes };
  }
  if (!audio) return undefined;
  const {
    file_id,
    file_name: name = `audio-${id}.mp3`,
    mime_type: mimeType = '',
    file_size: sizeBytes = 0,
  } = audio;
  return { id: file_id, name, mimeType, sizeBytes };
}
