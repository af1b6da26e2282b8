import {
  parseJson,
  toJson,
  type Channel,
  type Content,
  type OutgoingMessage,
  type PluginDatabase,
} from 'pegboard';
import type { ChannelTables } from './tables.ts';

/** Maximum number of stored messages; the oldest are deleted first. */
const maxKept = 200;
/** Characters of base64: larger pictures are only mentioned. */
const maxImageLength = 7_000_000;

/**
 * Nobody may be at the terminal. Messages are stored in the database and shown by the next prompt, or by one that is
 * open in another process. A message counts as delivered once it is on disk.
 */
export function createTerminalChannel(database: PluginDatabase<ChannelTables>): Channel {
  return {
    async deliver(chat, message) {
      const images = (message.attachments ?? []).filter(isShown);
      const open = await database.open();
      await open.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('channels_messages')
          .values({
            chat,
            text: toText(message),
            images: images.length > 0 ? toJson(images) : null,
            sent_at: new Date().toISOString(),
          })
          .execute();
        const kept = transaction
          .selectFrom('channels_messages')
          .select('id')
          .orderBy('id', 'desc')
          .limit(maxKept);
        await transaction.deleteFrom('channels_messages').where('id', 'not in', kept).execute();
      });
    },
    async take(chat) {
      // Reading doesn't create the database.
      if (!database.isThere()) return [];
      const open = await database.open();
      const taken = await open
        .deleteFrom('channels_messages')
        .where('chat', '=', chat)
        .returning(['id', 'text', 'images', 'sent_at as at'])
        .execute();
      return taken
        .toSorted((a, b) => a.id - b.id)
        .map(({ text, images, at }) => ({
          text,
          at,
          ...(images !== null && { images: parseJson(images) as Image[] }),
        }));
    },
  };
}

type Image = Extract<Content, { readonly type: 'image' }>;

const isShown = (content: Content): content is Image =>
  content.type === 'image' && content.data.length <= maxImageLength;

/** Text for the terminal. Content that isn't shown is only mentioned. */
function toText({ text, attachments = [], buttons = [] }: OutgoingMessage): string {
  const parts = [text, ...attachments.filter((one) => !isShown(one)).map(nameOf)];
  if (buttons.length > 0) parts.push(`(${buttons.join(' | ')})`);
  return parts.filter((part) => part !== '').join('\n\n');
}

function nameOf(content: Content): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'image':
    case 'audio':
      return `[${content.type}]`;
    case 'resource':
      return typeof content.resource['text'] === 'string'
        ? content.resource['text']
        : `[file ${content.resource.uri}]`;
    case 'resource_link':
      return `[${content.name}: ${content.uri}]`;
  }
}
