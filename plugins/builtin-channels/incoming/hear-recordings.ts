import { relative } from 'node:path';
import { asSentence, type ReceivedFile, type ReceivedMessage } from 'pegboard';
import { messageOf } from 'pegboard/kit';
import type { ChannelParts } from '../channel-parts.ts';
import { recordingIn } from './attached.ts';
import { downloadFile, saveFile } from './receive-file.ts';
import { tooLargeFor } from './too-large.ts';

/** What people said in recordings. */
export interface Heard {
  /** One for each recording that was understood, for the agent. */
  readonly transcripts: readonly string[];
  /** One for each other recording, for the person: why, and where it is. */
  readonly problems: readonly string[];
}

type Hears = Pick<ChannelParts, 'driver' | 'title' | 'context' | 'settings' | 'clock' | 'signal' | 'log'>;

/** Whether its recording is listened to instead of declined. */
export const isHeard = (message: ReceivedMessage, { context }: Pick<ChannelParts, 'context'>): boolean =>
  recordingIn(message) !== undefined && context.speech.hears;

/** Keeps the recordings of messages in the agent's workspace, and transcribes them. */
export async function hearRecordings(messages: readonly ReceivedMessage[], parts: Hears): Promise<Heard> {
  const transcripts: string[] = [];
  const problems: string[] = [];
  for (const message of messages) {
    if (!isHeard(message, parts)) continue;
    const heard = await hear(recordingIn(message)!, parts);
    if ('transcript' in heard) transcripts.push(heard.transcript);
    else problems.push(heard.problem);
  }
  return { transcripts, problems };
}

async function hear(
  recording: ReceivedFile,
  parts: Hears,
): Promise<{ readonly transcript: string } | { readonly problem: string }> {
  const { context, signal, log } = parts;
  const tooLarge = tooLargeFor(recording, parts);
  if (tooLarge !== undefined) return { problem: `I can't listen to it: ${tooLarge}.` };
  let kept = '';
  try {
    const bytes = await downloadFile(recording, parts);
    const { path, home } = await saveFile(recording, bytes, parts);
    kept = relative(home, path);
    const text = await context.speech.transcribe({ ...recording, bytes }, signal);
    if (text === '') return { problem: `I heard no words in it. The recording is kept as ${kept}.` };
    return { transcript: `[Transcript of a voice message, which is in the home as ${kept}:]\n${text}` };
  } catch (thrown) {
    signal.throwIfAborted();
    log.warn('a recording was not transcribed', { cause: thrown });
    const where =
      kept === ''
        ? 'Please send it again.'
        : `The recording is kept as ${kept}. Send it again later, or write what you want.`;
    return { problem: `I couldn't listen to it: ${asSentence(messageOf(thrown))} ${where}` };
  }
}
