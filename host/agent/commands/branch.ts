import type { CommandPlace } from '../../api/channels/chat-commands.ts';
import { conversationFolder } from '../../core/files/project.ts';
import type { SessionInfo } from '../../store/conversations/sessions.ts';
import type { ConversationSummary } from '../../store/conversations/summary.ts';
import { fallbackLimit } from '../history.ts';
import { createTurnHookTable } from '../turn-hooks.ts';
import { openCommandTurn } from './command-turn.ts';
import type { CommandServices } from './command.ts';

/** Begins a conversation in this place that goes on from another one, after its message `until`. Returns its id. */
export async function branchFrom(
  parent: SessionInfo,
  until: number,
  place: CommandPlace,
  services: CommandServices,
): Promise<number> {
  const { source, externalId } = parent;
  const own = await summaryUpTo(parent, until, place, services);
  const isElsewhere = source !== place.key.source || externalId !== place.key.externalId;
  const author = { kind: 'person', what: `${source}/${externalId}` } as const;
  // In its own chat everybody's words counted as theirs. Here they would count as the owner's.
  const isOthers = isElsewhere && !(await services.onlyOwnerWrites(parent));
  const summary = isOthers ? { ...own, untrusted: [...own.untrusted, author] } : own;
  return await services.sessions.branch(place.key, {
    parent: parent.id,
    until,
    title: parent.title,
    folder: place.workplace && conversationFolder(place.workplace),
    summary,
  });
}

/** What stands for the older part of a conversation whose later part is left behind. */
async function summaryUpTo(
  parent: SessionInfo,
  until: number,
  place: CommandPlace,
  services: CommandServices,
): Promise<ConversationSummary> {
  const { conversations } = services;
  const stored = await conversations.summary(parent.id);
  if (stored && stored.until <= until) return stored;
  if (!stored) {
    using turn = openCommandTurn(place, parent, services);
    const notes = await createTurnHookTable(services).history(turn);
    if (notes && notes.after <= until)
      return { text: notes.prefix, until: notes.after, untrusted: notes.untrusted ?? [] };
  }
  const [oldest] = await conversations.recent(parent.id, fallbackLimit, until + 1);
  return { until: oldest ? oldest.id - 1 : until, untrusted: stored?.untrusted ?? [] };
}
