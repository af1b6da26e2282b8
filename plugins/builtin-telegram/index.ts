import { definePlugin, type Check } from 'pegboard';
import { createChannel } from 'pegboard/channels';
import { openBotApi } from './bot-api.ts';
import type { TelegramConfig } from './config.ts';
import { malformedToken } from './failure.ts';
import { openTables } from './tables.ts';
import { askTool } from './tools/ask.ts';
import { effectsOf } from './tools/effects.ts';
import { pinTools } from './tools/pins.ts';
import { reactTool } from './tools/react.ts';
import { replyToTool } from './tools/reply-to.ts';

const publicServer = 'https://api.telegram.org';

export default definePlugin<TelegramConfig>({
  setup(context) {
    const token = context.variable('TELEGRAM_BOT_TOKEN');
    const isMalformed = token ? !/^\d+:[\w-]+$/.test(token) : false;
    const root = context.variable('TELEGRAM_API_ROOT') || publicServer;
    const api = token && !isMalformed ? context.own(openBotApi({ token, root })) : undefined;
    const channel = createChannel(context, {
      name: 'telegram',
      title: 'Telegram',
      hasNumericIds: true,
      database: openTables(context),
      effectsOf,
      // Loaded when there is something to receive or to send.
      fault: isMalformed ? malformedToken : undefined,
      driver: api && (async () => (await import('./driver.ts')).createDriver(api, context)),
    });
    const tools = api && [reactTool(channel), replyToTool(channel), ...pinTools(api), askTool()];
    const checks = async (): Promise<readonly Check[]> => [
      ...(await channel.contributions.checks()),
      ...(api ? [await (await import('./check-token.ts')).checkToken(api)] : []),
    ];
    return { ...channel.contributions, checks, ...(tools && { packs: { telegram: tools } }) };
  },
});
