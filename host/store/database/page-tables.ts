import type { Generated } from 'kysely';

/** Tables of the chats in the page: the page has no service elsewhere that keeps what was written and sent. */
export interface PageTables {
  readonly page_messages: PageMessagesTable;
  readonly page_files: PageFilesTable;
}

interface PageMessagesTable {
  readonly id: Generated<number>;
  readonly chat: string;
  /** A message with a known key is a repetition. */
  readonly key: string;
  /** 1: sent by Pegboard. */
  readonly own: number;
  /** Markdown if Pegboard sent it. Empty when `answer` is set: the history has the text. */
  readonly text: string;
  /** JSON of QuestionBlock[]: it asks. */
  readonly blocks: string | null;
  /** JSON of Button[]. */
  readonly buttons: string | null;
  readonly link: string | null;
  /** The id of an agent's answer in `messages`. */
  readonly answer: number | null;
  readonly at: string;
  /** Of the whole table when the row was last changed. */
  readonly version: number;
}

/** The bytes are in a file. */
interface PageFilesTable {
  readonly id: string;
  /** Null until the message that it belongs to is sent. */
  readonly message: number | null;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  readonly at: string;
}
