import type { ChannelDriver, Origin, ReceivedFile, ReceivedMessage } from 'pegboard';
import { tooLargeFor } from './too-large.ts';

const isAudio = ({ mimeType }: ReceivedFile): boolean => mimeType.startsWith('audio/');
const isPlayable = (file: ReceivedFile): boolean => isAudio(file) || file.mimeType.startsWith('video/');

/** The files of a message that can be read. */
export const filesIn = ({ files = [] }: ReceivedMessage): readonly ReceivedFile[] =>
  files.filter((file) => !isPlayable(file));

/** The only thing in a message that can be played, unless it is a video. */
export function recordingIn({ files = [] }: ReceivedMessage): ReceivedFile | undefined {
  const [one, ...others] = files.filter(isPlayable);
  return one && isAudio(one) && others.length === 0 ? one : undefined;
}

/** For the sender, if a message contains something that can't be read: what to send instead. */
export function unsupportedIn({ files = [], unsupported }: ReceivedMessage): string | undefined {
  const playable = files.filter(isPlayable);
  if (unsupported !== undefined || playable.length === 0) return unsupported;
  const what = playable.every(isAudio) ? 'listen to recordings' : 'watch videos';
  return `I got it, but I can't ${what}. I can read text, look at images, and read files: send it as one of these.`;
}

/** The origins of what neither the sender nor the account wrote. What is too large is never fetched, so nobody reads it. */
export function originsIn(
  message: ReceivedMessage,
  { driver }: { readonly driver: Pick<ChannelDriver, 'maxDownloadBytes'> },
): readonly Origin[] {
  const { isForwarded = false, untrusted = [] } = message;
  const recording = recordingIn(message);
  const read = [...filesIn(message), ...(recording && !recording.isVoice ? [recording] : [])];
  const foreign = read.filter((file) => tooLargeFor(file, { driver }) === undefined);
  return [
    ...(isForwarded ? [{ kind: 'person', what: 'the author of a forwarded message' } as const] : []),
    ...foreign.map(({ name }) => ({ kind: 'file', what: name }) as const),
    ...untrusted,
  ];
}

/** Maximum characters of a quoted message. */
const maxQuoteLength = 1_000;

/** What a message replies to or quotes. */
export const quoteIn = ({ quote }: ReceivedMessage): string | undefined =>
  quote === '' ? '[a message without text]' : quote?.slice(0, maxQuoteLength);
