import type { CommandPlace } from '../../api/channels/chat-commands.ts';
import { conversationFolder } from '../../core/files/project.ts';
import { escapeMarkdown } from '../../core/text/escape-markdown.ts';
import { plural } from '../../core/text/plural.ts';
import { shortTime } from '../../core/text/short-time.ts';
import { oneLine } from '../../tools/injection/compact.ts';
import { branchFrom } from './branch.ts';
import { describeSession, findSession, isIn, visibleFrom } from './describe-session.ts';
import type { CommandServices, RunCommand } from './command.ts';

const listed = 15;
/** Characters of the last words that are shown of a conversation that goes on. */
const quotedLength = 200;

/** Without words lists conversations; otherwise the one that is meant goes on here. */
export const resume: RunCommand = async (words, place, services) => {
  const { sessions, timezone } = services;
  const current = await sessions.current(place.key);
  if (words === '') return await listSessions(current?.id, place, services);
  const found = await findSession(words, place, sessions);
  if (found.id === current?.id) return `**${escapeMarkdown(found.title)}** is the conversation here already.`;
  const last = await services.conversations.recent(found.id, 2);
  if (isIn(found, place)) await sessions.reopen(found.id);
  else await branchFrom(found, last.at(-1)?.id ?? 0, place, services);
  const when = `${plural(found.messages, 'message')}, the last ${shortTime(found.lastAt, timezone)}`;
  const said = last
    .filter(({ text }) => text.trim() !== '')
    .map(
      ({ role, text }) => `> ${role === 'user' ? '› ' : ''}${escapeMarkdown(oneLine(text, quotedLength))}`,
    );
  return [`Going on with **${escapeMarkdown(found.title)}** (${when}).`, said.join('\n>\n')]
    .filter((part) => part !== '')
    .join('\n\n');
};

async function listSessions(
  current: number | undefined,
  place: CommandPlace,
  { sessions, timezone }: CommandServices,
): Promise<string> {
  const found = await sessions.list({ ...visibleFrom(place), limit: listed });
  if (found.length === 0) return 'There are no earlier conversations.';
  const standing = place.workplace && conversationFolder(place.workplace);
  const lines = found.map((one) => {
    const isElsewhere = standing !== undefined && one.folder !== undefined && one.folder !== standing;
    const folder = isElsewhere ? ` · in ${escapeMarkdown(oneLine(one.folder, quotedLength))}` : '';
    const here = one.id === current ? ' · this one' : '';
    return `- ${describeSession(one, timezone)}${folder}${here}`;
  });
  return `${lines.join('\n')}\n\n/resume NUMBER goes on with one.`;
}
