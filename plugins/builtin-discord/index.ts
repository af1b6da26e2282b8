import { definePlugin, type Check } from 'pegboard';
import { createChannel, type ChannelSettings } from 'pegboard/channels';
import { botOf, malformedToken } from './token.ts';

const publicServer = 'https://discord.com/api/v10';

export default definePlugin<ChannelSettings>({
  setup(context) {
    const token = context.variable('DISCORD_BOT_TOKEN');
    const bot = token ? botOf(token) : undefined;
    const root = context.variable('DISCORD_API_ROOT') || publicServer;
    const open =
      token && bot !== undefined
        ? async () => (await import('./discord-api.ts')).createDiscordApi({ token, bot, root })
        : undefined;
    const channel = createChannel(context, {
      name: 'discord',
      title: 'Discord',
      hasNumericIds: true,
      fault: token && bot === undefined ? malformedToken : undefined,
      // Loaded when there is something to receive or to send.
      driver: open && (async () => (await import('./driver.ts')).createDriver(await open(), context)),
    });
    const checks = async (): Promise<readonly Check[]> => [
      ...(await channel.contributions.checks()),
      ...(open ? [await (await import('./check-token.ts')).checkToken(await open())] : []),
    ];
    return { ...channel.contributions, checks };
  },
});
