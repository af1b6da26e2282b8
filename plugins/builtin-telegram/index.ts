import { definePlugin } from 'pegboard';
import { createChannel, readAccount } from 'pegboard/channels';
import { openBotApi } from './bot-api.ts';
import type { TelegramConfig } from './config.ts';
import { openTables } from './tables.ts';
import { askTool } from './tools/ask.ts';
import { effectsOf } from './tools/effects.ts';
import { pinTools } from './tools/pins.ts';
import { reactTool } from './tools/react.ts';
import { replyToTool } from './tools/reply-to.ts';

export default definePlugin<TelegramConfig>({
  setup(context) {
    const account = readAccount(context, {
      token: 'TELEGRAM_BOT_TOKEN',
      isToken: (text) => /^\d+:[\w-]+$/.test(text),
      wanted: 'a token that @BotFather gives, such as 123456:ABC-DEF1234',
      source: 'get the token from @BotFather',
      root: 'TELEGRAM_API_ROOT',
      usualRoot: 'https://api.telegram.org',
    });
    const { clock } = context.surroundings;
    const api = account.access && context.own(openBotApi(account.access, clock));
    const channel = createChannel(context, {
      name: 'telegram',
      title: 'Telegram',
      hasNumericIds: true,
      account,
      database: openTables(context),
      effectsOf,
      // Loaded when there is something to receive or to send.
      driver: api && (async () => (await import('./driver.ts')).createDriver(api, context)),
    });
    const tools = api && [reactTool(channel), replyToTool(channel), ...pinTools(api, clock), askTool()];
    return { ...channel.contributions, ...(tools && { packs: { telegram: tools } }) };
  },
});
