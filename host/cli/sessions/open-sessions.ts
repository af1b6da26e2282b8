import { PegboardError } from '../../core/errors.ts';
import { pegboard } from '../../core/own-command.ts';
import { writtenDatabase } from '../../compose/home-database.ts';
import { resolverOf } from '../../compose/home-secrets.ts';
import { createConversations } from '../../store/conversations/conversations.ts';
import type { StoredMessage } from '../../store/conversations/messages.ts';
import { createSessions, type SessionInfo, type Sessions } from '../../store/conversations/sessions.ts';
import type { Context } from '../command.ts';
import { warn } from '../warn.ts';

/** The conversations of a home, without a host. */
export interface StoredSessions extends AsyncDisposable {
  readonly sessions: Sessions;
  /** The one whose number was given. Throws PEG_USAGE where there is none. */
  named(number: string): Promise<SessionInfo>;
  /** All messages, with those of conversations that it goes on from. */
  messages(session: SessionInfo): Promise<readonly StoredMessage[]>;
}

export function openSessions({ home, surroundings, terminal }: Context): StoredSessions {
  const database = writtenDatabase(home, resolverOf(home, surroundings), {
    restored: (message) => warn(terminal, message),
  });
  const sessions = createSessions(database);
  const conversations = createConversations(database);
  return {
    sessions,
    async named(number) {
      const found = /^\d{1,15}$/.test(number) ? await sessions.find(Number(number)) : undefined;
      if (found) return found;
      throw new PegboardError(
        'PEG_USAGE',
        `There is no conversation ${number}. \`${pegboard} sessions\` lists them.`,
      );
    },
    messages: async ({ id }) => await conversations.after(id, 0),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
