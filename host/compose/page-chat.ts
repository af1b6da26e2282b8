import { createRunningTurns, type RunningTurns } from '../agent/running-turns.ts';
import type { PageEvent } from '../channels/page/driver.ts';
import type { PluginServices } from '../plugins/context.ts';
import type { Channels } from '../plugins/deliver.ts';
import type { Sessions } from '../store/conversations/sessions.ts';
import { createTranscripts, type Transcripts } from '../store/conversations/transcripts.ts';
import { createPageFiles, type PageFiles } from '../store/page/page-files.ts';
import { createPageMessages, type PageMessages } from '../store/page/page-messages.ts';
import { pageSource } from '../channels/page/page-source.ts';
import { createPageChannel, type PageFoundation } from './page-channel.ts';

/** The chats of the page in the browser. What is sent to them is stored, whether or not a page is open. */
export interface PageChat {
  readonly messages: PageMessages;
  readonly files: PageFiles;
  readonly transcripts: Transcripts;
  readonly sessions: Pick<Sessions, 'list'>;
  readonly running: RunningTurns;
  /**
   * Answers what is written, until it is closed; interrupted turns go on. One process of the home does at a time: the
   * others wait for it to end. `isWatched`: whether somebody has the page open, who sees its questions.
   */
  serve(isWatched: () => boolean): AsyncDisposable;
  /** Resolves when the event is on disk. Throws PEG_DENIED while another process answers. */
  take(event: PageEvent): Promise<void>;
  /** Ids of messages that were taken and are not answered yet. */
  waiting(chat: string): Promise<readonly string[]>;
}

/** `services`: called when the channel is first needed. What is opened is closed with `opened`. */
export function createPageChat(
  foundation: PageFoundation,
  services: () => PluginServices,
  opened: AsyncDisposableStack,
): { readonly chat: PageChat; readonly channels: Channels } {
  const { database, data } = foundation;
  const messages = createPageMessages(database);
  const files = createPageFiles(database, data('page'));
  const owned = opened.use(new AsyncDisposableStack());
  const page = createPageChannel(foundation, services, { messages, files }, owned);
  return {
    chat: {
      messages,
      files,
      transcripts: createTranscripts(database),
      sessions: {
        async list(filter) {
          // Kysely's own code is loaded only where it is used.
          const { createSessions } = await import('../store/conversations/sessions.ts');
          return await createSessions(database).list(filter);
        },
      },
      running: createRunningTurns(),
      serve: (isWatched) => page.serve(isWatched),
      take: (event) => page.take(event),
      async waiting(chat) {
        const db = await database.existing();
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
    },
    channels: { [pageSource]: page.channel },
  };
}
