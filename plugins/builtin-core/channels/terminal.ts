import type { Channel, Content, OutgoingMessage, PluginDatabase } from 'pegboard';
import type { ChannelTables } from './tables.ts';

/** Messages kept at most; the oldest go first. */
const maxKept = 200;

/**
 * Nobody may be at the terminal: what is sent there waits in the database, and the next prompt, or the one that is
 * open in another process, shows it. A message counts as delivered when it is on disk.
 */
export function createTerminalChannel(
  database: PluginDatabase<ChannelTables>,
  isThere: () => boolean,
): Channel {
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
      // Looking makes no database.
      if (!isThere()) return [];
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

/** Text for the terminal, in which other content is only named. */
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
