import { anna, ben, startFakeDiscord } from '../discord/fake-discord.ts';
import type { ChannelUnderTest } from './channel-under-test.ts';

const people = { anna, ben };

/** Discord's plugin, which ships with Pegboard, and a fake of Discord. */
export async function startDiscord(): Promise<ChannelUnderTest> {
  const discord = await startFakeDiscord();
  return {
    name: 'discord',
    messageTag: 'dc',
    ids: { anna: anna.id, ben: ben.id },
    chats: { anna: discord.chatOf(anna), ben: discord.chatOf(ben) },
    files: {},
    plugins: {},
    environment: { DISCORD_BOT_TOKEN: discord.token, DISCORD_API_ROOT: discord.root },
    hasButtons: true,
    async write(who, text) {
      discord.write(people[who], text);
    },
    async repeat() {
      discord.repeat();
    },
    async press(who, { id }, label) {
      discord.press(people[who], id, label);
    },
    sentTo: (who) =>
      discord.sentTo(discord.chatOf(people[who])).map(({ id, text, buttons }) => ({
        id,
        text,
        buttons: buttons.map(({ label }) => label),
      })),
    refuse: (what) =>
      what === 'account'
        ? discord.fail('', { status: 401 })
        : discord.fail(`POST /channels/${discord.chatOf(people[what])}/`, { status: 403 }),
    renewToken() {
      discord.renewToken();
      return { DISCORD_BOT_TOKEN: discord.token };
    },
    async connected() {
      await discord.until(() => discord.gateway.session?.socket);
    },
    taken: () => discord.handled(),
    onArrival(listener) {
      discord.onAnswer(({ route }) => {
        if (/^POST \/channels\/\d+\/messages$/.test(route)) listener();
      });
    },
    until: (find) => discord.until(find),
    [Symbol.asyncDispose]: () => discord[Symbol.asyncDispose](),
  };
}
