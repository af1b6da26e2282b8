import { anna, ben, startFakeBotApi } from '../telegram/fake-bot-api.ts';
import type { ChannelUnderTest } from './channel-under-test.ts';

const people = { anna, ben };

/** Telegram's plugin, which ships with Pegboard, and the fake Bot API. */
export async function startTelegram(): Promise<ChannelUnderTest> {
  const telegram = await startFakeBotApi();
  return {
    name: 'telegram',
    messageTag: 'tg',
    ids: { anna: String(anna.id), ben: String(ben.id) },
    files: {},
    plugins: {},
    environment: { TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.root },
    hasButtons: true,
    async write(who, text) {
      telegram.write(people[who], text);
    },
    async repeat() {
      telegram.repeat();
    },
    async press(who, { id }, label) {
      telegram.press(people[who], Number(id), label);
    },
    sentTo: (who) =>
      telegram.sentTo(people[who].id).map(({ id, text, buttons }) => ({
        id: String(id),
        text,
        buttons: buttons.map((button) => button.text),
      })),
    refuse: (what) =>
      what === 'account'
        ? telegram.fail('*', { status: 401, description: 'Unauthorized' })
        : telegram.block(people[what].id),
    renewToken() {
      telegram.renewToken();
      return { TELEGRAM_BOT_TOKEN: telegram.token };
    },
    async taken() {
      await telegram.until(() => telegram.pending === 0);
    },
    onArrival(listener) {
      const count = (): number => telegram.messages.filter(({ from }) => from === telegram.bot).length;
      let known = count();
      telegram.onCall((_call, stage) => {
        if (stage !== 'answered' || count() === known) return;
        known = count();
        listener();
      });
    },
    until: (find) => telegram.until(find),
    [Symbol.asyncDispose]: () => telegram[Symbol.asyncDispose](),
  };
}
