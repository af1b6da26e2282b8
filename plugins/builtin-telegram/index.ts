import { definePlugin, PegboardError } from 'pegboard';
import { accessChecks } from './access/checks.ts';
import { pairingCommands } from './access/commands.ts';
import { createPairing } from './access/pairing.ts';
import type { TelegramConfig } from './config.ts';
import { migrations, type TelegramTables } from './tables.ts';

const publicServer = 'https://api.telegram.org';

export default definePlugin<TelegramConfig>({
  async setup(context) {
    const token = context.variable('TELEGRAM_BOT_TOKEN');
    const tables = context.database<TelegramTables>(migrations);
    const database = () => tables.open();
    const pairing = createPairing(database);
    const checks = () => accessChecks(context.config);
    if (token === undefined || token === '')
      return { commands: pairingCommands({ pairing, greet: undefined }), checks };
    if (!/^\d+:[\w-]+$/.test(token)) {
      throw new PegboardError(
        'PEG_CONFIG',
        'TELEGRAM_BOT_TOKEN is no token: it looks like 123456:ABC-DEF1234, as @BotFather gave it.',
      );
    }
    const [{ createBot }, { createAllowed }] = await Promise.all([
      import('./bot.ts'),
      import('./access/allowed.ts'),
    ]);
    const root = context.variable('TELEGRAM_API_ROOT') || publicServer;
    const listed = context.variable('ALLOWED_TELEGRAM_IDS');
    const allowed = createAllowed({ config: context.config, listed, pairing, log: context.log });
    return { ...createBot({ context, token, root, database, pairing, allowed }), checks };
  },
});
