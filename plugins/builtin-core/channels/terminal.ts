import type { Channel, Content, OutgoingMessage, PluginDatabase } from 'pegboard';
import type { ChannelTables } from './tables.ts';

/** Maximum number of stored messages; the oldest are deleted first. */
const maxKept = 200;

/**
 * Nobody may be at the terminal. Messages are stored in the database and shown by the next prompt, or by one that is
 * open in another process. A message counts as delivered once it is on disk.
 */
export function createTerminalChannel(database: PluginDatabase<ChannelTables>): Channel {
  return {
    async deliver(chat, message) {
      const open = await database.open();
      await open.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('channels_messages')
          .values({ chat, text: toText(message), sent_at: new Date().toISOString() })
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
        .returning(['id', 'text', 'sent_at as at'])
        .execute();
      return taken.toSorted((a, b) => a.id - b.id).map(({ text, at }) => ({ text, at }));
    },
  };
}

/** Text for the terminal. Other content is only mentioned. */
function toText({ text, attachments = [], buttons = [] }: OutgoingMessage): string {
  const parts = [text, ...attachments.map(nameOf)];
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
