import { messageOf } from 'pegboard/kit';
import type { ChannelParts } from '../channel-parts.ts';
import { fileParts, textParts, type OutgoingPart } from '../outgoing/parts.ts';

/** The text of an answer as a recording too, to be sent after it; or why there is none. */
export async function speakAnswer(
  answer: readonly OutgoingPart[],
  parts: Pick<ChannelParts, 'driver' | 'title' | 'context' | 'signal' | 'log'>,
): Promise<readonly OutgoingPart[]> {
  const { driver, context, signal, log } = parts;
  const text = answer.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
  if (text.trim() === '') return [];
  try {
    const spoken = await context.speech.speak(text, signal);
    return fileParts([{ type: 'audio', mimeType: 'audio/ogg', data: spoken.toString('base64') }], parts);
  } catch (thrown) {
    signal.throwIfAborted();
    log.warn('an answer was not spoken', { cause: thrown });
    return textParts(`(I couldn't say this aloud: ${messageOf(thrown)})`, driver);
  }
}
