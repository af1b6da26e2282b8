import { randomBytes } from 'node:crypto';
import { type Button, type ButtonPress, parseJson, toJson } from 'pegboard';
import { fromData, toData } from '../asks/view.ts';
import type { ChannelStore } from '../database.ts';

/** Buttons of delivered messages. Each set works once: the pressed button's text is received as a message. */
export interface DeliveredButtons {
  make(chat: string, texts: readonly string[]): Promise<readonly Button[]>;
  /** The text of the pressed button; undefined when another event has used this set already. */
  press(press: ButtonPress, event: number): Promise<string | undefined>;
}

export function createButtons({ channel, open }: ChannelStore): DeliveredButtons {
  return {
    async make(chat, texts) {
      const token = randomBytes(16).toString('base64url');
      await (
        await open()
      )
        .insertInto('channel_buttons')
        .values({ token, channel, chat, texts: toJson(texts), created_at: new Date().toISOString() })
        .execute();
      return texts.map((label, index) => ({ label, data: toData(token, index) }));
    },
    async press({ data, address }, event) {
      const pressed = fromData(data);
      if (!pressed) return undefined;
      const database = await open();
      const found = await database
        .selectFrom('channel_buttons')
        .selectAll()
        .where('token', '=', pressed.token)
        .where('channel', '=', channel)
        .where('chat', '=', address.chat)
        .executeTakeFirst();
      // After a restart, the same press is processed again.
      if (!found || (found.used_by !== null && found.used_by !== event)) return undefined;
      await database
        .updateTable('channel_buttons')
        .set({ used_by: event })
        .where('token', '=', pressed.token)
        .execute();
      return (parseJson(found.texts) as readonly string[])[pressed.choice];
    },
  };
}
