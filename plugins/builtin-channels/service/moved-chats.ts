import {
  type ChannelDriver,
  type ChatAddress,
  durably,
  type HistoryMessage,
  type KnownMessages,
} from 'pegboard';
import type { ChannelStore } from '../database.ts';
import { ChannelFailure } from '../failure.ts';

/**
 * Chats that the service has given other ids. The home calls each by its first one for good, so that its conversation,
 * what waits in it, its questions and its schedules stay what they are.
 */
export interface MovedChats {
  /** Reads those that another process has noted. */
  refresh(): Promise<void>;
  /** On disk when it resolves. A chat never becomes one that another chat is already. */
  note(from: string, to: string): Promise<void>;
  /** The id by which the home knows a chat. */
  atHome(chat: string): string;
  /** The service's id. */
  atService(chat: string): string;
}

export function createMovedChats(
  { channel, open }: ChannelStore,
  { account = '' }: Pick<ChannelDriver, 'account'>,
): MovedChats {
  let moves = new Map<string, string>();
  const atHome = (chat: string): string => [...moves].find(([, moved]) => moved === chat)?.[0] ?? chat;
  const refresh = async (): Promise<void> => {
    const rows = await (
      await open()
    )
      .selectFrom('channel_moves')
      .select(['chat', 'moved_to'])
      .where('channel', '=', channel)
      .where('account', '=', account)
      .execute();
    moves = new Map(rows.map(({ chat, moved_to: to }) => [chat, to]));
  };
  return {
    refresh,
    async note(from, to) {
      const chat = atHome(from);
      if (to === chat || atHome(to) !== to) return;
      await durably(await open(), async (connection) => {
        await connection
          .insertInto('channel_moves')
          .values({ channel, account, chat, moved_to: to })
          .onConflict((conflict) =>
            conflict.columns(['channel', 'account', 'chat']).doUpdateSet({ moved_to: to }),
          )
          .execute();
      });
      await refresh();
    },
    atHome,
    atService: (chat) => moves.get(chat) ?? chat,
  };
}

/** The driver, with the home's ids of chats on this side and the service's on the other. */
export function followMoves(driver: ChannelDriver, moved: MovedChats): ChannelDriver {
  const outward = (to: ChatAddress): ChatAddress => ({ ...to, chat: moved.atService(to.chat) });
  /** Again, if only now the service says that the chat has moved. */
  const call = async <Result>(
    to: ChatAddress,
    work: (address: ChatAddress) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await work(outward(to));
    } catch (thrown) {
      if (!(thrown instanceof ChannelFailure) || thrown.movedTo === undefined) throw thrown;
      await moved.note(to.chat, thrown.movedTo);
      return await work(outward(to));
    }
  };
  const knownThere = (known: KnownMessages): KnownMessages => ({
    has: (chat, id) => known.has(moved.atHome(chat), id),
    latest: async () => (await known.latest()).map(({ chat, id }) => ({ chat: moved.atService(chat), id })),
  });
  const own: Partial<ChannelDriver> = {
    read(body) {
      const event = driver.read(body);
      return event && { ...event, address: { ...event.address, chat: moved.atHome(event.address.chat) } };
    },
    send: (to, ...rest) => call(to, (address) => driver.send(address, ...rest)),
    ...(driver.edit && { edit: (to, ...rest) => call(to, (address) => driver.edit!(address, ...rest)) }),
    ...(driver.remove && {
      remove: (to, ...rest) => call(to, (address) => driver.remove!(address, ...rest)),
    }),
    ...(driver.react && { react: (to, ...rest) => call(to, (address) => driver.react!(address, ...rest)) }),
    ...(driver.typing && { typing: (to) => call(to, (address) => driver.typing!(address)) }),
    ...(driver.clearButtons && {
      clearButtons: (to, ...rest) => call(to, (address) => driver.clearButtons!(address, ...rest)),
    }),
    ...(driver.history && {
      history: (query, signal): Promise<readonly HistoryMessage[]> =>
        call(query.address, (address) => driver.history!({ ...query, address }, signal)),
    }),
    ...(driver.mark && { mark: (to, known) => driver.mark!(outward(to), knownThere(known)) }),
    ...(driver.find && {
      find: (lost, known, signal) =>
        driver.find!({ ...lost, to: outward(lost.to) }, knownThere(known), signal),
    }),
  };
  return new Proxy(driver, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof ChannelDriver];
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
