import first from './001-conversations-usage-jobs.ts';
import second from './002-announcements-message-ids.ts';
import third from './003-untrusted.ts';
import fourth from './004-questions.ts';
import fifth from './005-choices.ts';
import sixth from './006-question-notes.ts';
import seventh from './007-turn-keys.ts';
import eighth from './008-reported-jobs.ts';
import ninth from './009-channels.ts';
import tenth from './010-page-messages.ts';
import eleventh from './011-question-kinds.ts';
import engine from './012-engine.ts';
import durableTurns from './013-durable-turns.ts';
import channelJobs from './014-channel-jobs.ts';
import hostFiles from './015-host-files.ts';
import mcpHosts from './016-mcp-hosts.ts';
import sharedDocuments from './017-shared-documents.ts';
import jobsOfOthers from './018-jobs-of-others.ts';
import pausedCalls from './019-paused-calls.ts';
import sessions from './020-sessions.ts';
import channelPositions from './021-channel-positions.ts';
import folders from './022-folders.ts';
import heldChats from './023-held-chats.ts';

/** What a change of the tables runs, once, on each kind of database. */
export interface Migration {
  readonly sqlite: string;
  readonly postgres: string;
}

/** Of SQLite only: Postgres begins with the tables as these leave them (postgres/first-tables.ts). */
export const earlyMigrations: readonly string[] = [
  first,
  second,
  third,
  fourth,
  fifth,
  sixth,
  seventh,
  eighth,
  ninth,
  tenth,
  eleventh,
];

/** From then on, for both. Released migrations are never edited. */
export const laterMigrations: readonly Migration[] = [
  engine,
  durableTurns,
  channelJobs,
  hostFiles,
  mcpHosts,
  sharedDocuments,
  jobsOfOthers,
  pausedCalls,
  sessions,
  channelPositions,
  folders,
  heldChats,
];

/** SQL for SQLite, in order: a database of version n has run the first n. */
export const migrations: readonly string[] = [
  ...earlyMigrations,
  ...laterMigrations.map(({ sqlite }) => sqlite),
];
