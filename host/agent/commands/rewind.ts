import { PegboardError } from '../../core/errors.ts';
import { escapeMarkdown } from '../../core/text/escape-markdown.ts';
import { shortTime } from '../../core/text/short-time.ts';
import type { StoredMessage } from '../../store/conversations/messages.ts';
import type { SessionInfo } from '../../store/conversations/sessions.ts';
import { oneLine } from '../../tools/injection/compact.ts';
import { branchFrom } from './branch.ts';
import type { CommandServices, RunCommand } from './command.ts';

/** Messages that are looked at for the list, and those of the person that it shows. */
const searched = 100;
const listed = 12;
const lineLength = 100;

/** Without a number lists the person's messages; otherwise the conversation goes on from before that one. */
export const rewind: RunCommand = async (words, place, services) => {
  const session = await rewound(await services.sessions.current(place.key), services);
  if (!session) throw new PegboardError('PEG_USAGE', 'Nothing was said here yet.');
  if (words === '') return await listMessages(session, services);
  const message = await findMessage(words, session, services);
  await branchFrom(session, message.id - 1, place, services);
  return [
    `Back to before this message. What followed is kept as conversation ${session.id}: /resume ${session.id} goes back there.`,
    message.text
      .split('\n')
      .map((line) => `> ${escapeMarkdown(line)}`)
      .join('\n'),
  ].join('\n\n');
};

/** After a rewind that nothing was said after, the conversation that was left: another message of it may be meant. */
async function rewound(
  current: SessionInfo | undefined,
  { sessions }: CommandServices,
): Promise<SessionInfo | undefined> {
  if (current?.parent === undefined || current.messages > 0) return current;
  return (await sessions.find(current.parent)) ?? current;
}

async function listMessages(
  { id }: SessionInfo,
  { conversations, timezone }: CommandServices,
): Promise<string> {
  const own = (await conversations.recent(id, searched)).filter(({ role }) => role === 'user');
  const lines = own
    .slice(-listed)
    .map(
      ({ id: number, at, text }) =>
        `- **${number}** · ${shortTime(at, timezone)} · ${escapeMarkdown(oneLine(text, lineLength))}`,
    );
  return `${lines.join('\n')}\n\n/rewind NUMBER goes back to before that message.`;
}

async function findMessage(
  words: string,
  { id }: SessionInfo,
  { conversations }: CommandServices,
): Promise<StoredMessage> {
  const number = /^#?(\d{1,15})$/.exec(words)?.[1];
  if (number !== undefined) {
    const [message] = await conversations.after(id, Number(number) - 1, Number(number) + 1);
    if (message?.role === 'user') return message;
  }
  throw new PegboardError(
    'PEG_USAGE',
    `"${words}" is no number of a message of yours here. /rewind lists them.`,
  );
}
