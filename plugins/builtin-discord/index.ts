import { definePlugin } from 'pegboard';
import { createChannel, readAccount, type ChannelSettings } from 'pegboard/channels';

export default definePlugin<ChannelSettings>({
  setup(context) {
    const account = readAccount(context, {
      token: 'DISCORD_BOT_TOKEN',
      isToken: (text) => botOf(text) !== undefined,
      wanted: 'the token of a bot',
      source: 'get the token under discord.com/developers/applications, Bot',
      root: 'DISCORD_API_ROOT',
      usualRoot: 'https://discord.com/api/v10',
    });
    const { access } = account;
    const { groups } = context.config;
    const { clock } = context.surroundings;
    const options = access && { ...access, bot: botOf(access.token)!, groups, clock };
    const channel = createChannel(context, {
      name: 'discord',
      title: 'Discord',
      hasNumericIds: true,
      account,
      // Loaded when there is something to receive or to send.
      driver: options && (async () => (await import('./driver.ts')).createDriver(options)),
    });
    return channel.contributions;
  },
});

/** The id of the bot, with which its token begins. Undefined for a text that is no token. */
function botOf(token: string): string | undefined {
  const [, first] = /^([\w-]{18,})\.[\w-]{4,}\.[\w-]{16,}$/.exec(token) ?? [];
  const id = Buffer.from(first ?? '', 'base64url').toString();
  return /^\d{17,20}$/.test(id) ? id : undefined;
}
