import { type Button, parseJson, type QuestionBlock, toJson } from 'pegboard';
import type { Tables } from 'pegboard/kit';
import type { ExpressionBuilder, Kysely, Selectable } from 'kysely';

/** A message of a chat in the page. */
export interface PageMessage {
  readonly id: number;
  readonly chat: string;
  /** The id by which the channel knows it. */
  readonly key: string;
  /** Pegboard sent it. */
  readonly own: boolean;
  readonly text: string;
  /** It asks. */
  readonly blocks?: readonly QuestionBlock[];
  readonly buttons?: readonly Button[];
  readonly link?: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

type NewPageMessage = Pick<PageMessage, 'chat' | 'key' | 'own' | 'text'> &
  Partial<Pick<PageMessage, 'blocks' | 'buttons' | 'link'>> & {
    /** The id of the stored answer that it delivers: its text is in the history. */
    readonly answer?: number;
    /** Ids of the files that belong to it. */
    readonly files?: readonly string[];
    /** When it was written, ISO 8601, UTC. Left out: now. */
    readonly at?: string;
  };

/** A chat that somebody has written in. */
interface PageChatSummary {
  readonly chat: string;
  /** The beginning of the first message. */
  readonly opening: string;
  readonly messages: number;
  readonly lastAt: string;
}

/** The messages of the chats in the page, of all processes of the home. */
export interface PageMessages {
  /** Stores a message, once for each key of a chat. */
  add(message: NewPageMessage): Promise<void>;
  /** False: there is no such message. */
  change(
    chat: string,
    key: string,
    changes: Pick<PageMessage, 'text' | 'blocks'> | { readonly buttons: undefined },
  ): Promise<boolean>;
  /** The last `limit` before an id, oldest first, without those whose text is in the history. */
  list(chat: string, options: { readonly before: number; readonly limit: number }): Promise<PageMessage[]>;
  find(chat: string, key: string): Promise<PageMessage | undefined>;
  chats(limit: number): Promise<readonly PageChatSummary[]>;
  /** Increases with every change. */
  version(): Promise<number>;
  /** Chats that have changed since that version. */
  changedSince(version: number): Promise<readonly string[]>;
}

/** The home's database, whose tables are there once it is open. */
export interface PageDatabase {
  open(): Promise<Kysely<Tables>>;
  /** Undefined where nothing was stored yet. */
  existing(): Promise<Kysely<Tables> | undefined>;
}

const openingLength = 200;

export function createPageMessages(database: PageDatabase): PageMessages {
  return {
    async add({ chat, key, own, text, blocks, buttons, link, answer, files = [], at }) {
      const db = await database.open();
      await db.transaction().execute(async (transaction) => {
        const row = await transaction
          .insertInto('page_messages')
          .values({
            chat,
            key,
            own: own ? 1 : 0,
            text: answer === undefined ? text : '',
            blocks: blocks ? toJson(blocks) : null,
            buttons: buttons ? toJson(buttons) : null,
            link: link ?? null,
            answer: answer ?? null,
            at: at ?? new Date().toISOString(),
            version: nextVersion,
          })
          .onConflict((conflict) => conflict.columns(['chat', 'key']).doNothing())
          .returning('id')
          .executeTakeFirst();
        if (row && files.length > 0)
          await transaction
            .updateTable('page_files')
            .set({ message: row.id })
            .where('id', 'in', files)
            .where('message', 'is', null)
            .execute();
      });
    },
    async change(chat, key, changes) {
      const db = await database.open();
      // The next version is read and written by nobody else in between.
      const changed = await db.transaction().execute(
        async (transaction) =>
          await transaction
            .updateTable('page_messages')
            .set({
              ...('text' in changes && {
                text: changes.text,
                ...(changes.blocks && { blocks: toJson(changes.blocks) }),
              }),
              buttons: null,
              version: nextVersion,
            })
            .where('chat', '=', chat)
            .where('key', '=', key)
            .returning('id')
            .executeTakeFirst(),
      );
      return changed !== undefined;
    },
    async list(chat, { before, limit }) {
      const db = await database.existing();
      const rows = await db
        ?.selectFrom('page_messages')
        .selectAll()
        .where('chat', '=', chat)
        .where('id', '<', before)
        .where('answer', 'is', null)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return (rows ?? []).map(toMessage).toReversed();
    },
    async find(chat, key) {
      const db = await database.existing();
      const row = await db
        ?.selectFrom('page_messages')
        .selectAll()
        .where('chat', '=', chat)
        .where('key', '=', key)
        .executeTakeFirst();
      return row && toMessage(row);
    },
    async chats(limit) {
      const db = await database.existing();
      return db ? await readChats(db, limit) : [];
    },
    async version() {
      const db = await database.existing();
      const row = await db
        ?.selectFrom('page_messages')
        .select(({ fn }) => fn.max('version').as('version'))
        .executeTakeFirst();
      return row?.version ?? 0;
    },
    async changedSince(version) {
      const db = await database.existing();
      const rows = await db
        ?.selectFrom('page_messages')
        .select('chat')
        .distinct()
        .where('version', '>', version)
        .execute();
      return (rows ?? []).map(({ chat }) => chat);
    },
  };
}

const nextVersion = (eb: ExpressionBuilder<Tables, 'page_messages'>) =>
  eb
    .selectFrom('page_messages')
    .select((inner) => eb(inner.fn.coalesce(inner.fn.max('version'), inner.lit(0)), '+', 1).as('next'))
    .$asScalar();

async function readChats(db: Kysely<Tables>, limit: number): Promise<readonly PageChatSummary[]> {
  const rows = await db
    .selectFrom('page_messages')
    .select((eb) => [
      'chat',
      eb.fn.max('at').as('lastAt'),
      eb.fn.countAll<number>().as('messages'),
      eb.fn.min('id').filterWhere('own', '=', 0).as('first'),
    ])
    .groupBy('chat')
    .orderBy('lastAt', 'desc')
    .limit(limit)
    .execute();
  const firsts = rows.flatMap(({ first }) => (first === null ? [] : [first]));
  const openings =
    firsts.length === 0
      ? []
      : await db
          .selectFrom('page_messages')
          .select([
            'chat',
            (eb) => eb.fn<string>('substr', ['text', eb.val(1), eb.val(openingLength)]).as('opening'),
          ])
          .where('id', 'in', firsts)
          .execute();
  const byChat = new Map(openings.map(({ chat, opening }) => [chat, opening]));
  return rows.map(({ chat, lastAt, messages }) => ({
    chat,
    opening: byChat.get(chat) ?? '',
    messages,
    lastAt,
  }));
}

const toMessage = (row: Selectable<Tables['page_messages']>): PageMessage => ({
  id: row.id,
  chat: row.chat,
  key: row.key,
  own: row.own === 1,
  text: row.text,
  at: row.at,
  ...(row.blocks !== null && { blocks: parseJson(row.blocks) as readonly QuestionBlock[] }),
  ...(row.buttons !== null && { buttons: parseJson(row.buttons) as readonly Button[] }),
  ...(row.link !== null && { link: row.link }),
});
