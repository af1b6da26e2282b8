import type { CommandPlace } from '../../api/channels/chat-commands.ts';
import { PegboardError } from '../../core/errors.ts';
import { escapeMarkdown } from '../../core/text/escape-markdown.ts';
import { plural } from '../../core/text/plural.ts';
import { shortTime } from '../../core/text/short-time.ts';
import type { SessionInfo, Sessions } from '../../store/conversations/sessions.ts';

/** Conversations that a title is looked for in. */
const searched = 1_000;

/** "**12** · Title · 2026-11-26 18:40 · 14 messages · telegram", as Markdown. */
export function describeSession(
  { id, title, lastAt, messages, source }: SessionInfo,
  timezone: string,
): string {
  const parts = [
    `**${id}**`,
    escapeMarkdown(title),
    shortTime(lastAt, timezone),
    plural(messages, 'message'),
    source,
  ];
  return parts.join(' · ');
}

/** Those that the person may go on with: the owner with all of them, others with those of their own chat. */
export const visibleFrom = ({ isOwner, key }: CommandPlace): { readonly key?: CommandPlace['key'] } =>
  isOwner ? {} : { key };

/** By its number, or words of its title. Throws PEG_USAGE where none or several fit. */
export async function findSession(
  words: string,
  place: CommandPlace,
  sessions: Sessions,
): Promise<SessionInfo> {
  const [, number] = /^#?(\d{1,15})$/.exec(words) ?? [];
  if (number !== undefined) {
    const found = await sessions.find(Number(number));
    if (found && (place.isOwner || isIn(found, place))) return found;
    throw noSession(`There is no conversation ${number}`);
  }
  const all = await sessions.list({ ...visibleFrom(place), limit: searched });
  const wanted = words.toLowerCase();
  const exact = all.filter(({ title }) => title.toLowerCase() === wanted);
  const fitting = exact.length > 0 ? exact : all.filter(({ title }) => title.toLowerCase().includes(wanted));
  if (fitting.length > 1) {
    const which = fitting.slice(0, 5).map(({ id, title }) => `${id} (${title})`);
    throw new PegboardError(
      'PEG_USAGE',
      `Several conversations are called so: ${which.join(', ')}. Give the number of one.`,
    );
  }
  const [found] = fitting;
  if (!found) throw noSession(`No conversation has "${words}" in its title`);
  return found;
}

export const isIn = ({ source, externalId }: SessionInfo, { key }: CommandPlace): boolean =>
  source === key.source && externalId === key.externalId;

const noSession = (what: string): PegboardError =>
  new PegboardError('PEG_USAGE', `${what}. /resume lists those that there are.`);
