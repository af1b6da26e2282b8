import type { IncomingMessage, Origin, ReceivedMessage } from 'pegboard';
import type { ReceivedContent } from 'pegboard/kit';
import type { ChannelParts } from '../channel-parts.ts';
import type { Job } from '../turns/job.ts';
import { filesIn, originsIn, quoteIn, unsupportedIn } from './attached.ts';
import { isHeard, type Heard } from './hear-recordings.ts';
import { originsOfMessage } from './read-reaction.ts';
import { receiveFile } from './receive-file.ts';

/** The agent's input for a job: text, files and origins. The messages of an album are merged into one. */
export async function readMessages(
  { messages, event }: Job,
  { transcripts, problems }: Heard,
  parts: ChannelParts,
): Promise<Pick<IncomingMessage, 'text' | 'attachments' | 'replyTo' | 'untrusted'>> {
  const received = await Promise.all(messages.map((message) => receiveFiles(message, parts)));
  const [first] = messages;
  const notes = received.flatMap((one) => one.notes);
  notes.push(...transcripts, ...problems.map((problem) => `[${problem}]`));
  const unsupported = first && unsupportedIn(first);
  if (unsupported !== undefined && !isHeard(first!, parts)) notes.push(`[${unsupported}]`);
  const texts = messages.map((message, index) =>
    textFor(message, index === messages.length - 1 ? notes : []),
  );
  const origins = await Promise.all(messages.map((message) => originsOf(message, event.conversation, parts)));
  const attachments = received.flatMap(({ content }) => content);
  const quote = first && quoteIn(first);
  return {
    text: texts.filter((text) => text !== '').join('\n'),
    untrusted: origins.flat(),
    ...(attachments.length > 0 && { attachments }),
    ...(quote !== undefined && { replyTo: quote }),
  };
}

async function receiveFiles(message: ReceivedMessage, parts: ChannelParts): Promise<ReceivedContent> {
  const received = await Promise.all(filesIn(message).map((file) => receiveFile(file, parts)));
  return {
    content: received.flatMap(({ content }) => content),
    notes: received.flatMap(({ notes }) => notes),
  };
}

/** The model's text for one message. In a group it begins with the sender's name. */
function textFor(
  { text: written, isEdited, isForwarded, isPrivate, from }: ReceivedMessage,
  notes: readonly string[],
): string {
  const edited = isEdited ? '[User edited an earlier message. It says now:]' : '';
  const forwarded = isForwarded ? '[User forwarded this; somebody else wrote it:]' : '';
  const text = [edited, forwarded, written, ...notes].filter((part) => part !== '').join('\n');
  return isPrivate || !from ? text : `${from.name}: ${text}`;
}

async function originsOf(
  message: ReceivedMessage,
  conversation: string,
  parts: ChannelParts,
): Promise<readonly Origin[]> {
  const { repliesToUs, replyTo } = message;
  const origins = originsIn(message, parts);
  if (!repliesToUs || replyTo === undefined) return origins;
  return [...origins, ...(await originsOfMessage(replyTo, conversation, parts))];
}
