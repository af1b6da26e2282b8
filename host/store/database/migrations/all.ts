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
import twelfth from './012-engine.ts';
import thirteenth from './013-durable-turns.ts';

/** SQL, in order: a database of version n has run the first n. Released migrations are never edited. */
export const migrations: readonly string[] = [
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
  twelfth,
  thirteenth,
];
