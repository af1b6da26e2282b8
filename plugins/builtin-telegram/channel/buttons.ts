import { randomBytes } from 'node:crypto';
import { parseJson, toJson } from 'pegboard';
import type { CallbackQuery } from 'grammy/types';
import { fromData, toData } from '../asks/view.ts';
import type { BotApi } from '../bot-api.ts';
import type { Buttons } from '../outgoing/send-part.ts';
import type { TelegramDatabase } from '../tables.ts';

/** Buttons under messages that were delivered to a chat. Each set works once: what is pressed comes back as a message. */
export interface DeliveredButtons {
  keyboardFor(chat: number, texts: readonly string[]): Promise<Buttons>;
  /** The text of the pressed one; undefined where another update has pressed one already. */
  press(query: CallbackQuery, update: number): Promise<string | undefined>;
}

export function createButtons(database: () => Promise<TelegramDatabase>, api: BotApi): DeliveredButtons {
  return {
    async keyboardFor(chat, texts) {
      const token = randomBytes(16).toString('base64url');
      await (
        await database()
      )
        .insertInto('telegram_buttons')
        .values({ token, chat, texts: toJson(texts), created_at: new Date().toISOString() })
        .execute();
      return {
        inline_keyboard: texts.map((text, index) => [
          { text: text.slice(0, 60) || ' ', callback_data: toData(token, index) },
        ]),
      };
    },
    async press({ data = '', message }, update) {
      const pressed = fromData(data);
      if (!pressed || !message) return undefined;
      const open = await database();
      const found = await open
        .selectFrom('telegram_buttons')
        .selectAll()
        .where('token', '=', pressed.token)
        .where('chat', '=', message.chat.id)
        .executeTakeFirst();
      // After a restart the same press finds what it has used before.
      if (!found || (found.used_by !== null && found.used_by !== update)) return undefined;
      await open
        .updateTable('telegram_buttons')
        .set({ used_by: update })
        .where('token', '=', pressed.token)
        .execute();
      const payload = { chat_id: message.chat.id, message_id: message.message_id };
      api.raw.editMessageReplyMarkup(payload).catch(() => {});
      return (parseJson(found.texts) as readonly string[])[pressed.choice];
    },
  };
}
