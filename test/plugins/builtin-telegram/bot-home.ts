import { createHost } from '../../../host/create-host.ts';
import type { Clock } from '../../../host/api/surroundings.ts';
import type { Host } from '../../../host/host.ts';
import { configFor } from '../../kit/homes/agent-home.ts';
import { anna, startFakeBotApi, type FakeBotApi, type FakeMessage } from '../../kit/telegram/fake-bot-api.ts';
import { createHome, type TestHome } from '../../kit/homes/home.ts';
import { surroundingsBy } from '../../kit/surroundings.ts';
import { startScriptedModel, type Script, type ScriptedModel } from '../../../host/testing/index.ts';

/** A home with a bot, whose services run in this process, and both of its servers. */
export interface BotHome extends AsyncDisposable {
  readonly home: TestHome;
  readonly telegram: FakeBotApi;
  readonly model: ScriptedModel;
  readonly host: Host;
  /** Resolves with the bot's messages to the chat as soon as there are this many. */
  sent(chat: number, count: number): Promise<readonly FakeMessage[]>;
  /** Resolves when the complete text of one of the bot's messages in the chat matches. */
  says(chat: number, text: string | RegExp): Promise<FakeMessage>;
}

export interface BotHomeOptions {
  readonly files?: { readonly [file: string]: string };
  /** Further settings under `models`. */
  readonly models?: object;
  /** plugins.builtin-telegram.config */
  readonly config?: object;
  readonly mcpServers?: { readonly [name: string]: object };
  readonly environment?: { readonly [name: string]: string };
  /** Of the host. Default: the machine's. */
  readonly clock?: Clock;
  /** The address of Telegram for the bot, instead of the fake server's own. */
  readonly via?: (root: string) => string | Promise<string>;
}

export async function openBotHome(script: Script, options: BotHomeOptions = {}): Promise<BotHome> {
  await using opened = new AsyncDisposableStack();
  const telegram = opened.use(await startFakeBotApi());
  const model = opened.use(await startScriptedModel(script));
  const config = {
    ...(JSON.parse(configFor(model, options.models)) as object),
    mcpServers: options.mcpServers ?? {},
    plugins: { 'builtin-telegram': { config: options.config ?? {} } },
  };
  const home = opened.use(await createHome({ 'pegboard.yaml': JSON.stringify(config), ...options.files }));
  const { via = (root) => root, environment } = options;
  const more = { TELEGRAM_API_ROOT: await via(telegram.root), ...environment };
  const host = opened.use(
    await createHost({
      home: home.path,
      environment: environmentOf(telegram, more),
      surroundings: surroundingsBy(options.clock),
    }),
  );
  await host.plugins.startServices();
  const owned = opened.move();
  return {
    home,
    telegram,
    model,
    host,
    sent: (chat, count) =>
      telegram.until(() => telegram.sentTo(chat).length >= count && telegram.sentTo(chat)),
    says: (chat, text) => saysIn(telegram, chat, text),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export const saysIn = (telegram: FakeBotApi, chat: number, text: string | RegExp): Promise<FakeMessage> =>
  telegram.until(() =>
    telegram.sentTo(chat).find((one) => (typeof text === 'string' ? one.text === text : text.test(one.text))),
  );

/** The only variables that the host gets; Anna may talk to the bot. */
export const environmentOf = (
  telegram: FakeBotApi,
  more: { readonly [name: string]: string } = {},
): { readonly [name: string]: string } => ({
  PATH: process.env['PATH'] ?? '',
  TIMEZONE: 'UTC',
  TELEGRAM_BOT_TOKEN: telegram.token,
  TELEGRAM_API_ROOT: telegram.root,
  ALLOWED_TELEGRAM_IDS: String(anna.id),
  ...more,
});
