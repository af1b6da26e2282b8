import { join } from 'node:path';
import type { Channel, PluginContext } from 'pegboard';
import { createSessions, createTranscripts, type Sessions, type Transcripts } from 'pegboard/home';
import type { Tables } from 'pegboard/kit';
import { createPageFiles, type PageFiles } from '../store/page-files.ts';
import { createPageMessages, type PageMessages } from '../store/page-messages.ts';
import type { PageEvent } from './driver.ts';
import { createPageChannel } from './page-channel.ts';
import { pageSource } from './page-source.ts';

/** The chats of the page in the browser. What is sent to them is stored, whether or not a page is open. */
export interface PageChat {
  readonly messages: PageMessages;
  readonly files: PageFiles;
  readonly transcripts: Transcripts;
  readonly sessions: Pick<Sessions, 'list'>;
  readonly channel: Channel;
  /**
   * Answers what is written, until it is closed; interrupted turns go on. On SQLite one process of the home does at a time:
   * the others wait for it to end. `isWatched`: whether somebody has the page open, who sees its questions.
   */
  serve(isWatched: () => boolean, isOnServer: boolean): AsyncDisposable;
  /** Resolves when the event is on disk. Throws PEG_DENIED while another process answers. */
  take(event: PageEvent): Promise<void>;
  /** Ids of messages that were taken and are not answered yet. */
  waiting(chat: string): Promise<readonly string[]>;
}

export function createPageChat(context: PluginContext): PageChat {
  const tables = context.database<Tables>([]);
  const existing = async () => (tables.isThere() ? await tables.open() : undefined);
  const database = { open: () => tables.open(), existing, isThere: () => tables.isThere() };
  const messages = createPageMessages(database);
  const files = createPageFiles(database, join(context.home, 'data/page'));
  const page = createPageChannel(context, database, { messages, files });
  return {
    messages,
    files,
    transcripts: createTranscripts(database),
    sessions: createSessions(database),
    channel: page.channel,
    serve: (...how) => page.serve(...how),
    take: (event) => page.take(event),
    async waiting(chat) {
      const db = await existing();
      const rows = await db
        ?.selectFrom('channel_events')
        .select('event')
        .where('channel', '=', pageSource)
        .where('conversation', '=', chat)
        .where('state', 'in', ['new', 'working'])
        .execute();
      const prefix = `message/${chat}/`;
      return (rows ?? []).flatMap(({ event }) =>
        event.startsWith(prefix) ? [event.slice(prefix.length)] : [],
      );
    },
  };
}
