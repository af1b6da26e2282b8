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

/** Everything that is attached to a message. */
export function filesOf(message: Message): readonly ReceivedFile[] {
  const { voice, audio, video, video_note: note, animation, message_id: id } = message;
  if (voice) return [{ ...played(voice, `voice-${id}.ogg`, 'audio/ogg'), isVoice: true }];
  if (audio) return [played(audio, `audio-${id}.mp3`, 'audio/mpeg')];
  // Animations are documents as well.
  const film = video ?? note ?? animation;
  if (film) return [played(film, `video-${id}.mp4`, 'video/mp4')];
  const file = fileOf(message);
  return file ? [file] : [];
}

interface Played {
  readonly file_id: string;
  readonly file_name?: string;
  readonly mime_type?: string;
  readonly file_size?: number;
}

const played = (file: Played, usualName: string, usualType: string): ReceivedFile => ({
  id: file.file_id,
  name: file.file_name ?? usualName,
  mimeType: file.mime_type ?? usualType,
  sizeBytes: file.file_size ?? 0,
});
