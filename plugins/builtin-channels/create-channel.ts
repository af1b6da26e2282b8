import { createHash } from 'node:crypto';
import {
  type Channel,
  type ChannelDriver,
  type Check,
  type Contributions,
  PegboardError,
  type PluginContext,
  type PluginDatabase,
  type Service,
  toJson,
  type ToolCall,
} from 'pegboard';
import type { ChannelTables } from 'pegboard/kit';
import { createAllowed, directChatOf, listedIds } from './access/allowed.ts';
import { nameOf } from './address.ts';
import { accessChecks } from './access/checks.ts';
import { pairingCommands } from './access/commands.ts';
import { createPairing } from './access/pairing.ts';
import type { AskOwner } from './asks/ask-owner.ts';
import { checkDriver } from './check-driver.ts';
import type { DriverParts } from './driver-parts.ts';
import type { ChannelStore } from './database.ts';
import { createMessages } from './outgoing/messages.ts';
import type { ChannelAccount } from './service/account.ts';
import { checkAccount, createConnection } from './service/connection.ts';
import { createMovedChats, followMoves } from './service/moved-chats.ts';
import { settingsOf } from './settings.ts';
import { createLiveTurns, type EffectsOf, type LiveTurn } from './turns/live-turns.ts';

export interface ChannelOptions {
  /** "telegram": in addresses, in the commands `telegram pair`, `telegram list`, `telegram allow` and `telegram unpair`, which plugin.yaml declares, and in ALLOWED_TELEGRAM_IDS, which it lists as optional. */
  readonly name: string;
  /** "Telegram": for people. */
  readonly title: string;
  /** Called when the driver is first needed. Absent without an account: then the channel contributes only its commands. */
  readonly driver: (() => Promise<ChannelDriver>) | undefined;
  /**
   * What `readAccount` returned, for a service that needs a token. The owner sees in `start`, `status` and `doctor` whether
   * it can be used. Leave `driver` absent if it has no `access`.
   */
  readonly account?: ChannelAccount;
  /** Ids of people are whole numbers: other entries in ALLOWED_…_IDS are reported. */
  readonly hasNumericIds?: boolean;
  /** The side effects that a call of the plugin's tools has requested for the end of its turn: see `HostedChannel.turnOf`. */
  readonly effectsOf?: EffectsOf;
  /** Whether its owner may do there what only the owner may. Default: true. False for the page, which would vouch for itself. */
  readonly vouchesForOwner?: boolean;
  /** For plugins with their own tables, or with work to do before the channel opens its tables. */
  readonly database?: PluginDatabase<unknown>;
}

/** A channel that the host runs on a driver. */
export interface HostedChannel {
  /** To be returned from `setup`, together with the plugin's other contributions. */
  readonly contributions: Required<Pick<Contributions, 'services' | 'channels' | 'commands' | 'checks'>>;
  /** The turn of a call; tools may change its side effects. Throws PEG_USAGE after the turn. */
  turnOf(call: Pick<ToolCall, 'turn'>): LiveTurn;
}

/**
 * Creates a channel from a driver. Messages are stored, queued, answered in order and survive restarts; questions are
 * asked in their chats. The plugin's settings are those of `ChannelSettings`. Code for receiving and sending is loaded on
 * first use.
 */
export function createChannel(
  context: PluginContext<object>,
  {
    name,
    title,
    driver,
    account,
    hasNumericIds = false,
    vouchesForOwner = true,
    effectsOf,
    database,
  }: ChannelOptions,
): HostedChannel {
  const tables = (database ?? context.database([])) as PluginDatabase<ChannelTables>;
  const store: ChannelStore = { channel: name, open: () => tables.open() };
  const pairing = createPairing(store);
  const live = createLiveTurns(name);
  const settings = settingsOf(context.config);
  const variable = `ALLOWED_${name.toUpperCase().replaceAll('-', '_')}_IDS`;
  const listed = { variable, value: context.variable(variable), numeric: hasNumericIds };
  // The order counts: the first one is the owner.
  const identity = createHash('sha256')
    .update(toJson([account?.access?.token, listedIds(listed)]))
    .digest('hex');
  const broken = account?.fault && ({ name: title, status: 'failed', ...account.fault } as const);
  if (broken) context.report(broken);
  const connected =
    driver &&
    connect(async () => {
      const { log, surroundings } = context;
      const { clock } = surroundings;
      const made = checkDriver(await driver(), title);
      const moved = createMovedChats(store, made);
      const opened = followMoves(made, moved);
      const allowed = createAllowed({ settings, driver: opened, listed, pairing, log });
      const messages = createMessages(store);
      const about = {
        name,
        title,
        vouchesForOwner,
        driver: opened,
        account,
        context,
        settings,
        allowed,
        clock,
        log,
      };
      return {
        ...about,
        connection: createConnection({ ...about, report: (check) => context.report(check) }),
        store,
        messages,
        moved,
        holds: (await import('./inbox/holds.ts')).createHolds({
          store,
          account: opened.account ?? '',
          engine: () => context.engine(),
          clock,
        }),
        pairing,
        live,
        effectsOf,
      };
    });
  return {
    contributions: {
      services: connected ? [{ name, ...connected.service }] : [],
      channels: connected ? { [name]: { ...connected.channel, identity } } : {},
      commands: pairingCommands({ channel: name, pairing, numeric: hasNumericIds, greet: connected?.greet }),
      checks: async () => [
        ...accessChecks(settings, { name, title, plugin: context.id }),
        ...(broken ? [broken] : []),
        ...(connected && account ? [await checkAccount(await connected.driver(), { title, account })] : []),
        ...(connected && tables.isThere() ? await connected.holdChecks(title) : []),
      ],
    },
    turnOf(call) {
      const turn = live.of(call.turn);
      if (turn) return turn;
      throw new PegboardError(
        'PEG_USAGE',
        `The ${title} message that this was for has been answered already.`,
      );
    },
  };
}

/** The service and channel of an account. `open` is called once, on first use. */
function connect(open: () => Promise<DriverParts>): {
  readonly service: Omit<Service, 'name'>;
  readonly channel: Channel;
  readonly greet: (person: string) => Promise<void>;
  readonly driver: () => Promise<ChannelDriver>;
  readonly holdChecks: (title: string) => Promise<readonly Check[]>;
} {
  let opening: Promise<DriverParts> | undefined;
  const parts = (): Promise<DriverParts> => (opening ??= open());
  /** Set while events are received, because questions can be answered only then. */
  let askOwner: AskOwner | undefined;
  return {
    service: {
      async start(signal) {
        const { runChannel } = await import('./run-channel.ts');
        const running = runChannel(await parts(), signal);
        ({ askOwner } = running);
        return {
          async [Symbol.asyncDispose]() {
            askOwner = undefined;
            await running[Symbol.asyncDispose]();
          },
        };
      },
    },
    channel: {
      async deliver(chat, message, signal) {
        const { deliver } = await import('./outgoing/deliver.ts');
        await deliver(chat, message, signal, await parts());
      },
      ask: async (question, signal) => await askOwner?.(question, signal),
      async ownerChat() {
        const address = await (await parts()).allowed.ownerChat();
        return address && nameOf(address);
      },
    },
    async greet(person) {
      const { driver, context } = await parts();
      const content = { kind: 'text', text: 'You are paired. What can I do for you?' } as const;
      await driver.send(await directChatOf(person, driver), content, {}, context.signal);
    },
    driver: async () => (await parts()).driver,
    async holdChecks(title) {
      const [{ holds }, { checkOf }] = await Promise.all([parts(), import('./outgoing/watch-holds.ts')]);
      return (await holds.all()).map((hold) => checkOf(hold, title));
    },
  };
}
