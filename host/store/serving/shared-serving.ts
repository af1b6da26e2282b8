import type { PostgresDatabase } from '../database/postgres/database.ts';
import { createEndedSessions, type EndedSessions } from './ended-sessions.ts';
import { openMail, type Mail, type MailOptions } from './mail.ts';
import { queryOf } from './queries.ts';
import { createSharedLogins, type SharedLogins } from './shared-logins.ts';
import { createSharedTexts, type SharedTexts } from './shared-texts.ts';

/** What the MCP servers of all hosts of a home have in common, in its database. Everything throws PEG_DATABASE. */
export interface SharedServing {
  readonly texts: SharedTexts;
  readonly logins: SharedLogins;
  readonly endedSessions: EndedSessions;
  /** A mailbox for one server, which the caller closes. */
  readonly openMail: (options: Pick<MailOptions, 'onLetter' | 'onError'>) => Promise<Mail>;
}

export function createSharedServing(database: PostgresDatabase): SharedServing {
  const query = queryOf(database);
  return {
    texts: createSharedTexts(query),
    logins: createSharedLogins(query),
    endedSessions: createEndedSessions(query),
    openMail: (options) => openMail({ ...options, database, query }),
  };
}
