import { createHost } from '../../../host/create-host.ts';
import type { Clock } from '../../../host/api/surroundings.ts';
import type { Host } from '../../../host/host.ts';
import { startScriptedModel, type Script, type ScriptedModel } from '../../../host/testing/index.ts';
import {
  anna,
  startFakeDiscord,
  type FakeDiscord,
  type FakeMessage,
} from '../../kit/discord/fake-discord.ts';
import { configFor } from '../../kit/homes/agent-home.ts';
import { createHome, type TestHome } from '../../kit/homes/home.ts';
import { surroundingsBy } from '../../kit/surroundings.ts';

/** A home with a bot, whose services run in this process, and both of its servers. */
export interface DiscordHome extends AsyncDisposable {
  readonly home: TestHome;
  readonly discord: FakeDiscord;
  readonly model: ScriptedModel;
  readonly host: Host;
  /** Anna's private chat with the bot. */
  readonly chat: string;
  /** Starts the services. They run at first. */
  start(): Promise<void>;
  /** Ends the host, as when its process ends. */
  stop(): Promise<void>;
  /** Resolves when the complete text of one of the bot's messages in the chat matches. */
  says(text: string | RegExp, chat?: string): Promise<FakeMessage>;
}

export interface DiscordHomeOptions {
  readonly files?: { readonly [file: string]: string };
  /** plugins.builtin-discord.config */
  readonly config?: object;
  /** Of the host. Default: the machine's. */
  readonly clock?: Clock;
}

export async function openDiscordHome(
  script: Script,
  { files = {}, config = {}, clock }: DiscordHomeOptions = {},
): Promise<DiscordHome> {
  await using opened = new AsyncDisposableStack();
  const discord = opened.use(await startFakeDiscord());
  const model = opened.use(await startScriptedModel(script));
  const settings = {
    ...(JSON.parse(configFor(model)) as object),
    plugins: { 'builtin-discord': { config } },
  };
  const home = opened.use(await createHome({ 'pegboard.yaml': JSON.stringify(settings), ...files }));
  const chat = discord.chatOf(anna);
  let host: Host | undefined;
  opened.defer(async () => await host?.[Symbol.asyncDispose]());
  const start = async (): Promise<void> => {
    host = await createHost({
      home: home.path,
      environment: environmentOf(discord),
      surroundings: surroundingsBy(clock),
    });
    await host.plugins.startServices();
    await discord.until(() => discord.gateway.session?.socket);
  };
  await start();
  const owned = opened.move();
  return {
    home,
    discord,
    model,
    chat,
    get host() {
      return host!;
    },
    start,
    async stop() {
      await host![Symbol.asyncDispose]();
      host = undefined;
    },
    says: (text, where = chat) =>
      discord.until(() =>
        discord
          .sentTo(where)
          .find((one) => (typeof text === 'string' ? one.text === text : text.test(one.text))),
      ),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The only variables that the host gets; Anna may talk to the bot. */
export const environmentOf = (discord: FakeDiscord): { readonly [name: string]: string } => ({
  PATH: process.env['PATH'] ?? '',
  TIMEZONE: 'UTC',
  DISCORD_BOT_TOKEN: discord.token,
  DISCORD_API_ROOT: discord.root,
  ALLOWED_DISCORD_IDS: anna.id,
});
